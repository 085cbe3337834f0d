/** Executes deploy requests: updates the files of the site, compiles them, stores the build as a release, and activates it. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { activate } from '../../../operate/activation/activate.ts'
import { findObstacles } from '../../../operate/activation/table-changes.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Pointer, Releases } from '../../../operate/releases/model.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { SiteBuilds } from '../../../web/site/builds.ts'
import { withoutEdits } from '../../../web/site/load.ts'
import { StartError } from '../../../core/start-error.ts'
import { formatFinding } from './lines.ts'
import { planSchema } from '../../../data/store/tables.ts'
import { RefusedChange } from './changes/refused-change.ts'
import { storeBackup } from './backup.ts'
import type { BlobFolder } from './blobs.ts'
import {
  assetTree,
  changedTree,
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
import { rollbackTargets } from './rollback-targets.ts'
import { recordTree, type Tree } from './site.ts'
import { changedPaths, type WarmSite } from './warm-site.ts'

export interface DeployContext {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly builds: SiteBuilds
  readonly warm: WarmSite
  /** Folder for temporary files; only this process uses it. */
  readonly folder: string
  /** Folder of the site that the server was started with. */
  readonly root: string
  readonly settings: ReadySettings
  readonly version: string
  /** Path of the program that runs the migrations of a release. */
  readonly thread: string
  readonly logger: Logger
}

/** The outcome of a request. */
interface Outcome {
  readonly status: 'success' | 'error'
  readonly result: DeployResult
}

/**
 * Executes requests completely: one of any kind, or several single files, which are activated together. If one of these is faulty, each is
 * tried alone.
 * @throws the errors of the database client; the requests are then executed again
 */
export async function executeDeploys(parts: DeployContext, rows: readonly DeployRow[]): Promise<void> {
  const { status, result } = await execute(parts, rows)
  if (status === 'error' && rows.length > 1) for (const row of rows) await executeDeploys(parts, [row])
  else {
    if (status === 'success') reportErrors(parts.logger, rows, result)
    for (const { id } of rows) await endDeploy(parts.sql, id, status, result)
  }
}

/** Logs the errors of a site that was accepted despite its errors. */
function reportErrors(logger: Logger, rows: readonly DeployRow[], { errors = [] }: DeployResult): void {
  if (errors.length === 0) return
  const ids = rows.map(({ id }) => id).join(', ')
  logger.warn(
    {},
    `deploy ${ids} has errors, which fail when they are reached:${errors.map((each) => `\n  ${formatFinding(each)}`).join('')}`,
  )
}

async function execute(parts: DeployContext, rows: readonly DeployRow[]): Promise<Outcome> {
  try {
    const row = rows.at(-1)
    if (row === undefined) throw new Error('there is no request to execute')
    const { request } = row
    if (request.kind === 'unpack') {
      await unpackAssets(parts.sql, request, parts.blobs)
      return { status: 'success', result: {} }
    }
    const currentPointer = await parts.releases.current()
    const oldTree = await parts.warm.tree(currentPointer)
    if (request.kind === 'backup')
      return { status: 'success', result: { key: await storeBackup(parts, request, oldTree) } }
    const { tree: newTree, lacksAssets, isReportOnly, changed } = await treeAfter(parts, rows, oldTree)
    if (isReportOnly === true) return { status: 'success', result: { report: reportOf(oldTree, newTree, isAsset) } }
    const change = { row, currentPointer, oldTree, newTree, lacksAssets }
    const { status, result } = (await applyEdit(parts, change)) ?? (await buildRelease(parts, change))
    return { status, result: changed === undefined ? result : { ...result, changed } }
  } catch (error) {
    // The messages of these errors are for the client.
    if (error instanceof DeployRefused || error instanceof StartError)
      return { status: 'error', result: { failure: error.message } }
    if (error instanceof RefusedChange)
      return { status: 'error', result: { failure: error.message, refused: error.change } }
    throw error
  }
}

async function treeAfter(
  { sql, blobs, warm }: DeployContext,
  rows: readonly DeployRow[],
  oldTree: Tree,
): Promise<DeployedTree> {
  let tree = oldTree
  for (const { id, request } of rows) {
    if (request.kind === 'deploy') return deployedTree(sql, request, tree, blobs, warm.readAhead(oldTree))
    if (request.kind === 'clear') tree = new Map()
    if (request.kind === 'assets') return assetTree(sql, request, tree)
    if (request.kind === 'change') return changedTree(sql, id, request, tree, blobs)
    if (request.kind === 'sync') tree = syncedTree(request, tree)
    if (request.kind === 'removal') tree = treeWithout(request, tree)
  }
  return { tree, lacksAssets: false }
}

/** Code of warnings about missing assets. Clients may send these assets after the site. */
const MISSING_ASSET = 'missing-asset'

/** The change of the site by a request. */
interface Change {
  readonly row: DeployRow
  readonly currentPointer: Pointer | null
  readonly oldTree: Tree
  readonly newTree: Tree
  readonly lacksAssets: boolean
}

/** Activates changes of single files as an edit; returns null when they need a new release. @throws StartError */
async function applyEdit(
  parts: DeployContext,
  { row: { request }, currentPointer, oldTree, newTree }: Change,
): Promise<Outcome | null> {
  if ((request.kind !== 'sync' && request.kind !== 'change') || currentPointer === null) return null
  const paths = changedPaths(oldTree, newTree)
  if (paths.length === 0) return { status: 'success', result: {} }
  if (!paths.every(isEditable)) return null
  const compiledSite = await parts.warm.edit(currentPointer, newTree)
  if (compiledSite === null) return null
  const { built, errors, warnings, failure } = compiledSite
  const report = reportOf(oldTree, newTree, (path) => paths.includes(path))
  return { status: built ? 'success' : 'error', result: { errors, warnings, failure, report } }
}

/** Builds and activates a new release. */
async function buildRelease(
  parts: DeployContext,
  { row: { id, request }, currentPointer, oldTree, newTree, lacksAssets }: Change,
): Promise<Outcome> {
  const { sql, blobs, releases, warm } = parts
  const paths = changedPaths(oldTree, newTree)
  const about = request.kind === 'assets' ? isAsset : isAbout(request, newTree)
  const report = reportOf(oldTree, newTree, about)
  if (request.kind !== 'deploy' && paths.length === 0) return { status: 'success', result: { report } }
  const place = join(parts.folder, id)
  const out = join(place, 'build')
  const isTried = request.kind === 'deploy' && request.dryRun
  let source: string | null = null
  // The open site stays the served one as long as its files are not overwritten.
  let isKept = false
  try {
    await rm(place, { recursive: true, force: true })
    await mkdir(place, { recursive: true })
    // A single file may be followed by others. All other requests are complete.
    const sent = ['sync', 'change', 'assets'].includes(request.kind) ? paths : null
    // Stored files that nothing refers to in the end are removed later.
    const storing = isTried ? null : settle(blobs.keep(sql, [...newTree.values()]))
    const isCheckOnly = isTried && !paths.some(declaresData)
    const result = await warm.build(currentPointer, newTree, isCheckOnly ? null : out, sent)
    source = result.source
    const { built, failure } = result.compiledSite
    const findings = async () => {
      const { errors, warnings } = await warm.findingsOf(result.compiledSite)
      return { errors, warnings: warnings.filter(({ code }) => !(lacksAssets && code === MISSING_ASSET)) }
    }
    isKept = warm.has(source) && (!built || isCheckOnly)
    if (!built) return { status: 'error', result: { ...(await findings()), failure, report } }
    if (isTried && !isCheckOnly) await requireConvertibleTables(parts, out)
    if (isTried) return { status: 'success', result: { ...(await findings()), report } }
    await storing?.()
    const release = await releases.push(out, true)
    await recordTree(sql, id, release.id, newTree)
    const notes = await activateRelease(parts, release.id, request.kind === 'deploy' ? null : paths)
    const pointer = await releases.current()
    isKept = pointer?.release === release.id
    if (pointer !== null && isKept) await warm.setServed({ pointer, tree: newTree, source })
    // Warnings are found only after the site is served.
    return { status: 'success', result: { ...(await findings()), report, notes } }
  } finally {
    if (!isKept) await warm.reset(source)
    await rm(place, { recursive: true, force: true })
  }
}

/** Requires that the tables can be converted for a build. @throws StartError */
async function requireConvertibleTables({ sql, builds, root }: DeployContext, folder: string): Promise<void> {
  const { site } = await builds.loadBeside({ root, folder })
  const problems = findObstacles(await planSchema(sql, site.data), false, false)
  if (problems.length > 0)
    throw new StartError(`The site could not be served.${problems.map((one) => `\n  - ${one}`).join('')}`)
}

/**
 * Activates a release.
 * @param alone the changed files of a request that is not a deploy: migrations among them are held back
 * @returns notes for the client
 * @throws StartError
 */
async function activateRelease(
  parts: DeployContext,
  id: string,
  alone: readonly string[] | null,
): Promise<readonly string[]> {
  const notes: string[] = []
  await activate({
    ...parts,
    trial: null,
    load: (builtSite) => parts.builds.load(withoutEdits(builtSite), async () => []),
    id,
    dryRun: false,
    force: false,
    unedited: true,
    ...(alone !== null && { singleFiles: alone }),
    targets: (earlier) => rollbackTargets(parts.sql, earlier, parts.settings.deployRetention.releases),
    print: (line) => notes.push(line),
  })
  return notes
}

/** Returns a filter for the files that a request is about. Assets that the archive does not contain are left out. */
function isAbout(request: DeployRow['request'], newTree: Tree): (path: string) => boolean {
  if (request.kind !== 'deploy') return () => true
  return (path) => !isAsset(path) || (newTree.has(path) && !request.partial)
}

/** Lets work continue in the background. Returns a function that waits for it, and throws its error. */
function settle(work: Promise<void>): () => Promise<void> {
  const settled = work.then(
    () => null,
    (error: unknown) => ({ error }),
  )
  return async () => {
    const failed = await settled
    if (failed !== null) throw failed.error
  }
}
