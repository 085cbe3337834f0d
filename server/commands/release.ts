/** `ingot release`: stores builds, and selects the one that is served. */
import { resolve } from 'node:path'
import type { Sql } from 'postgres'
import { rejectOtherOptions, readCommandLine } from '../core/command-line.ts'
import * as runtime from '../../runtime/index.ts'
import { findRelease, nextPointer, type Pointer, type Releases, shortId } from '../operate/releases/model.ts'
import { releaseFolder, releaseStore } from '../operate/releases/open.ts'
import { liveServers } from '../operate/releases/servers.ts'
import { createLogger } from '../core/services/log.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { loadSite } from '../web/site/load.ts'
import { StartError } from '../core/start-error.ts'
import { createSession } from '../data/store/connection.ts'
import { readDatabaseUrl } from '../data/store/database-url.ts'
import { LOCKS } from '../data/store/locks.ts'
import type { FollowingServer } from '../data/store/servers.ts'
import { withStore } from '../data/with-store.ts'
import { activate, type ActivateOptions } from '../operate/activation/activate.ts'

type ReleaseLine = { readonly dir: string } & (
  | { readonly action: 'push'; readonly build: string }
  | { readonly action: 'list' }
  /** `id`: null for the previously active release. */
  | { readonly action: 'activate'; readonly id: string | null; readonly dryRun: boolean; readonly force: boolean }
  | { readonly action: 'prune'; readonly keep: number }
)

export interface ReleaseOptions {
  readonly settings: Settings
  readonly version: string
  /** Paths of the programs that try to load a release, and that run its migrations. */
  readonly trial: string
  readonly thread: string
}

/** Default number of releases that `prune` keeps. */
const DEFAULT_KEPT = 5

/**
 * Runs the command.
 * @param args the arguments after `release`
 * @returns the exit code: 1 when a release was refused
 * @throws StartError
 */
export async function releaseCommand(args: readonly string[], options: ReleaseOptions): Promise<number> {
  const line = readReleaseLine(args)
  switch (line.action) {
    case 'push': {
      const { id, isNew } = await push(line, options)
      printLine(id)
      // On standard error, because scripts read the ID from standard output.
      if (!isNew) process.stderr.write('The release was already stored.\n')
      return 0
    }
    case 'list':
      return list(line.dir, options)
    case 'prune':
      return withReleaseLock(line.dir, options, (open) => prune(open, line.keep))
    case 'activate':
      return withReleaseLock(line.dir, options, (open) => switchTo(open, line, options))
  }
}

/** The releases of a command, with their database. */
interface OpenReleases {
  readonly releases: Releases
  readonly sql: Sql
  readonly settings: ReadySettings
}

async function push(
  { dir, build }: Extract<ReleaseLine, { action: 'push' }>,
  options: ReleaseOptions,
): ReturnType<Releases['push']> {
  // A push into a folder needs no database.
  const folder = releaseFolder(options.settings, dir)
  return folder === null ? withReleases(dir, options, ({ releases }) => releases.push(build)) : folder.push(build)
}

async function switchTo(
  { releases, sql, settings }: OpenReleases,
  line: Extract<ReleaseLine, { action: 'activate' }>,
  options: ReleaseOptions,
): Promise<number> {
  const id = line.id === null ? await previousRelease(releases) : await findRelease(releases, line.id)
  const logger = createLogger('warn', true, process.stderr)
  try {
    const load: ActivateOptions['load'] = (builtSite) => loadSite(builtSite, runtime)
    const say = printLine
    await activate({
      ...options,
      ...line,
      load,
      releases,
      id,
      root: resolve(line.dir),
      sql,
      settings,
      logger,
      print: say,
    })
    return 0
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

/** Returns the ID of the previously active release. @throws StartError when there is none */
async function previousRelease(releases: Releases): Promise<string> {
  const keptIds = new Set((await releases.list()).map(({ id }) => id))
  const earlier = (await releases.current())?.earlier.find((id) => keptIds.has(id))
  if (earlier === undefined)
    throw new StartError('There is no earlier release to go back to: none was active before, or all were removed.')
  return earlier
}

async function list(dir: string, options: ReleaseOptions): Promise<number> {
  const folder = releaseFolder(options.settings, dir)
  // No server uses a folder without an active release.
  if (folder !== null && (await folder.current()) === null) return printReleases(folder, null, [])
  return withReleases(dir, options, async ({ releases, sql }) => {
    const currentPointer = await releases.current()
    return printReleases(
      releases,
      currentPointer,
      currentPointer === null ? [] : await liveServers(sql, currentPointer.place),
    )
  })
}

async function printReleases(
  releases: Releases,
  currentPointer: Pointer | null,
  servers: readonly FollowingServer[],
): Promise<number> {
  const allReleases = await releases.list()
  if (allReleases.length === 0)
    printLine(`There are no releases in ${releases.place} yet: add one with \`ingot release push BUILD\`.`)
  for (const { id, pushedAt, files, bytes } of allReleases) {
    const serving = servers.filter(({ follows }) => follows.release === id)
    const state = [
      ...(currentPointer?.release === id ? ['active'] : []),
      ...(serving.length > 0 ? [`served by ${serving.length}`] : []),
      ...(currentPointer?.refused?.release === id ? [`refused: ${currentPointer.refused.reason.split('\n')[0]}`] : []),
    ]
    const pushed = `${pushedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`
    printLine(
      `${shortId(id)}  ${pushed}  ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB  ${state.join(', ')}`.trimEnd(),
    )
  }
  return 0
}

async function prune({ releases, sql }: OpenReleases, keep: number): Promise<number> {
  const [allReleases, currentPointer] = await Promise.all([releases.list(), releases.current()])
  const servers = currentPointer === null ? [] : await liveServers(sql, currentPointer.place)
  const needed = new Set([currentPointer?.release, ...servers.map(({ follows }) => follows.release)])
  const others = allReleases.filter(({ id }) => !needed.has(id))
  const gone = others.slice(Math.max(0, keep - (allReleases.length - others.length)))
  for (const { id } of gone) {
    await releases.remove(id)
    printLine(`removed ${shortId(id)}`)
  }
  await releases.cleanUp(printLine)
  // A new pointer makes the servers remove their copies of the removed releases.
  if (currentPointer !== null)
    await releases.replace(currentPointer, nextPointer(currentPointer, { release: currentPointer.release }))
  printLine(`${allReleases.length - gone.length} kept.`)
  return 0
}

/** Runs an action with the releases in a folder or in the database of a site. */
async function withReleases<T>(
  dir: string,
  { settings }: ReleaseOptions,
  action: (open: OpenReleases) => Promise<T>,
): Promise<T> {
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir, pool: 4, logger }, ({ sql }, readySettings) =>
    action({ releases: releaseStore(settings, dir, sql), sql, settings: readySettings }),
  )
}

/** Runs an action that changes releases, under a lock. @throws StartError when another command holds the lock */
async function withReleaseLock<T>(
  dir: string,
  options: ReleaseOptions,
  action: (open: OpenReleases) => Promise<T>,
): Promise<T> {
  return withReleases(dir, options, async (open) => {
    // The lock ends with its connection, also when this process is killed.
    const address = readDatabaseUrl(open.settings.databaseUrl, 'DATABASE_URL')
    const session = createSession(address, 'ingot release', () => undefined)
    try {
      const [free] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCKS.release}) as taken`
      if (free?.taken !== true)
        throw new StartError(
          'Another `ingot release` is changing the releases, so nothing was done. Wait until it ends, then check with `ingot release list`.',
        )
      return await action(open)
    } finally {
      await session.end({ timeout: 5 })
    }
  })
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  push: [],
  list: [],
  activate: ['dry-run', 'force'],
  rollback: ['dry-run', 'force'],
  prune: ['keep'],
}

/**
 * Parses the arguments after `ingot release`.
 * @throws StartError
 */
function readReleaseLine(args: readonly string[]): ReleaseLine {
  const line = readCommandLine('ingot release', args, { switches: ['dry-run', 'force'], values: ['keep'] })
  const { words, has, value } = line
  const [action = '', ...more] = words
  const knownNames = Object.hasOwn(OPTIONS, action) ? OPTIONS[action] : undefined
  if (knownNames === undefined) {
    const what = action === '' ? 'needs an action' : `has no action '${action}'`
    throw new StartError(`\`ingot release\` ${what}: give push, list, activate, rollback or prune.`)
  }
  rejectOtherOptions(`ingot release ${action}`, line, knownNames)
  const needs = action === 'push' || action === 'activate'
  const what = needs ? more.shift() : undefined
  if (needs && what === undefined)
    throw new StartError(`\`ingot release ${action}\` needs ${action === 'push' ? 'a build' : 'the ID of a release'}.`)
  const [dir = '.', extraArgument] = more
  if (extraArgument !== undefined) throw new StartError(`\`ingot release ${action}\` does not take '${extraArgument}'.`)
  if (action === 'push') return { action, build: what ?? '', dir }
  if (action === 'list') return { action, dir }
  if (action === 'prune') return { action, dir, keep: parseKeep(value('keep')) }
  return { action: 'activate', id: what ?? null, dir, dryRun: has('dry-run'), force: has('force') }
}

function parseKeep(text: string | null): number {
  if (text === null) return DEFAULT_KEPT
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new StartError(`--keep cannot be '${text}': give a number from 1 to 9999.`)
  return Number(text)
}
