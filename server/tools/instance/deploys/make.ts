/** Does what a row asks: makes the files of the site anew, compiles them, keeps the build as a release, and has it served. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { activate } from '../../../operate/activation/activate.ts'
import { obstacles } from '../../../operate/activation/table-changes.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Pointer, Releases } from '../../../operate/releases/model.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { SiteBuilds } from '../../../web/site/builds.ts'
import { withoutEdits } from '../../../web/site/load.ts'
import { StartError } from '../../../core/start-error.ts'
import { lineOf } from './lines.ts'
import { planSchema } from '../../../data/store/tables.ts'
import { keepBackup } from './backup.ts'
import type { BlobFolder } from './blobs.ts'
import {
  assetTree,
  type DeployedTree,
  deployedTree,
  DeployRefused,
  reportOf,
  syncedTree,
  treeWithout,
  unpackAssets,
} from './change.ts'
import { declaresData, isAsset, isEditable } from './paths.ts'
import { type DeployResult, type DeployRow, endDeploy } from './rows.ts'
import { nameTree, type Tree } from './site.ts'
import { changedPaths, type WarmSite } from './warm-site.ts'

export interface MakeParts {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly builds: SiteBuilds
  readonly warm: WarmSite
  /** Folder for what is being made; this process alone uses it. */
  readonly folder: string
  /** Folder of the site, as the server was started with it. */
  readonly root: string
  readonly settings: ReadySettings
  readonly version: string
  /** Path of the program that runs the migrations of a release. */
  readonly thread: string
  readonly logger: Logger
}

/** What came of a row. */
interface Made {
  readonly status: 'success' | 'error'
  readonly result: DeployResult
}

/**
 * Does what rows ask, to their end: one of any kind, or several single files, which are served together. Where one of these is broken,
 * each is tried alone.
 * @throws the errors of the database client: the rows are then done once more
 */
export async function makeDeploys(parts: MakeParts, rows: readonly DeployRow[]): Promise<void> {
  const { status, result } = await made(parts, rows)
  if (status === 'error' && rows.length > 1) for (const row of rows) await makeDeploys(parts, [row])
  else {
    if (status === 'success') reportErrors(parts.logger, rows, result)
    for (const { id } of rows) await endDeploy(parts.sql, id, status, result)
  }
}

/** Logs the errors of a site that was taken with them. */
function reportErrors(logger: Logger, rows: readonly DeployRow[], { errors = [] }: DeployResult): void {
  if (errors.length === 0) return
  const ids = rows.map(({ id }) => id).join(', ')
  logger.warn(
    {},
    `deploy ${ids} has errors, and each fails where it is reached:${errors.map((each) => `\n  ${lineOf(each)}`).join('')}`,
  )
}

async function made(parts: MakeParts, rows: readonly DeployRow[]): Promise<Made> {
  try {
    const row = rows.at(-1)!
    const { request } = row
    if (request.kind === 'unpack') {
      await unpackAssets(parts.sql, request, parts.blobs)
      return { status: 'success', result: {} }
    }
    const current = await parts.releases.current()
    const before = await parts.warm.tree(current)
    if (request.kind === 'backup')
      return { status: 'success', result: { key: await keepBackup(parts, request, before) } }
    const { tree: after, lacksAssets, isTold } = await treeAfter(parts, rows, before)
    if (isTold === true) return { status: 'success', result: { report: reportOf(before, after, isAsset) } }
    const change = { row, current, before, after, lacksAssets }
    return (await edited(parts, change)) ?? (await served(parts, change))
  } catch (error) {
    // Sentences for whoever has asked.
    if (error instanceof DeployRefused || error instanceof StartError)
      return { status: 'error', result: { failure: error.message } }
    throw error
  }
}

async function treeAfter(
  { sql, blobs, warm }: MakeParts,
  rows: readonly DeployRow[],
  before: Tree,
): Promise<DeployedTree> {
  let tree = before
  for (const { request } of rows) {
    if (request.kind === 'deploy') return deployedTree(sql, request, tree, blobs, warm.readAhead(before))
    if (request.kind === 'clear') tree = new Map()
    if (request.kind === 'assets') return assetTree(sql, request, tree)
    if (request.kind === 'sync') tree = syncedTree(request, tree)
    if (request.kind === 'removal') tree = treeWithout(request, tree)
  }
  return { tree, lacksAssets: false }
}

/** What is told of an asset that the site does not have: yet, where assets are sent after it. */
const MISSING_ASSET = 'missing-asset'

/** What a row makes of the site. */
interface Change {
  readonly row: DeployRow
  readonly current: Pointer | null
  readonly before: Tree
  readonly after: Tree
  readonly lacksAssets: boolean
}

/** Has single files served without another release; null where these need one. @throws StartError */
async function edited(parts: MakeParts, { row: { request }, current, before, after }: Change): Promise<Made | null> {
  if (request.kind !== 'sync' || current === null) return null
  const paths = changedPaths(before, after)
  if (paths.length === 0) return { status: 'success', result: {} }
  if (!paths.every(isEditable)) return null
  const compiled = await parts.warm.edit(current, after)
  if (compiled === null) return null
  const { built, errors, warnings, failure } = compiled
  const report = reportOf(before, after, (path) => paths.includes(path))
  return { status: built ? 'success' : 'error', result: { errors, warnings, failure, report } }
}

/** Has a release of its own served. */
async function served(
  parts: MakeParts,
  { row: { id, request }, current, before, after, lacksAssets }: Change,
): Promise<Made> {
  const { sql, blobs, releases, warm } = parts
  const paths = changedPaths(before, after)
  const about = request.kind === 'assets' ? isAsset : isAbout(request, after)
  const report = reportOf(before, after, about)
  if (request.kind !== 'deploy' && paths.length === 0) return { status: 'success', result: { report } }
  const place = join(parts.folder, id)
  const out = join(place, 'build')
  const isTried = request.kind === 'deploy' && request.dryRun
  let source: string | null = null
  // As long as nothing is written over what is at hand, that stays what is served.
  let isKept = false
  try {
    await rm(place, { recursive: true, force: true })
    await mkdir(place, { recursive: true })
    // Where a file is sent alone, others may come behind it; whoever sends or removes more says that it is all.
    const sent = request.kind === 'sync' || request.kind === 'assets' ? paths : null
    // What nothing names in the end is removed after a while.
    const keeping = isTried ? null : settling(blobs.keep(sql, [...after.values()]))
    const isLookedAt = isTried && !paths.some(declaresData)
    const made = await warm.build(current, after, isLookedAt ? null : out, sent)
    source = made.source
    const { built, failure } = made.compiled
    const findings = async () => {
      const { errors, warnings } = await warm.findingsOf(made.compiled)
      return { errors, warnings: warnings.filter(({ code }) => !(lacksAssets && code === MISSING_ASSET)) }
    }
    isKept = warm.has(source) && (!built || isLookedAt)
    if (!built) return { status: 'error', result: { ...(await findings()), failure, report } }
    if (isTried && !isLookedAt) await followable(parts, out)
    if (isTried) return { status: 'success', result: { ...(await findings()), report } }
    await keeping?.()
    const release = await releases.push(out, true)
    await nameTree(sql, id, release.id, after)
    const notes = await activated(parts, release.id, request.kind === 'deploy' ? null : paths)
    const pointer = await releases.current()
    isKept = pointer?.release === release.id
    if (pointer !== null && isKept) await warm.served({ pointer, tree: after, source })
    // They are found when the site is served.
    return { status: 'success', result: { ...(await findings()), report, notes } }
  } finally {
    if (!isKept) await warm.lost(source)
    await rm(place, { recursive: true, force: true })
  }
}

/** @throws StartError where the tables could not follow a build */
async function followable({ sql, builds, root }: MakeParts, folder: string): Promise<void> {
  const { site } = await builds.loadBeside({ root, folder })
  const against = obstacles(await planSchema(sql, site.data), false, false)
  if (against.length > 0)
    throw new StartError(`The site could not be served.${against.map((one) => `\n  - ${one}`).join('')}`)
}

/**
 * Has a release served.
 * @param alone the files that have changed where they were not deployed: migrations among them wait
 * @returns what was said
 * @throws StartError
 */
async function activated(parts: MakeParts, id: string, alone: readonly string[] | null): Promise<readonly string[]> {
  const notes: string[] = []
  await activate({
    ...parts,
    trial: null,
    load: (built) => parts.builds.load(withoutEdits(built), async () => []),
    id,
    dryRun: false,
    force: false,
    unedited: true,
    ...(alone !== null && { alone }),
    say: (line) => notes.push(line),
  })
  return notes
}

/** Assets that no archive has brought were not looked at. */
function isAbout(request: DeployRow['request'], after: Tree): (path: string) => boolean {
  if (request.kind !== 'deploy') return () => true
  return (path) => !isAsset(path) || (after.has(path) && !request.partial)
}

/** Lets work go on beside other work: gives how to wait for it, and its error is that of whoever waits. */
function settling(work: Promise<void>): () => Promise<void> {
  const settled = work.then(
    () => null,
    (error: unknown) => ({ error }),
  )
  return async () => {
    const failed = await settled
    if (failed !== null) throw failed.error
  }
}
