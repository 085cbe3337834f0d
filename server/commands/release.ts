/** `ingot release`: keeps builds, and says which of them is served. */
import { resolve } from 'node:path'
import type { Sql } from 'postgres'
import { onlyOptions, readCommandLine } from '../core/command-line.ts'
import * as runtime from '../../runtime/index.ts'
import { findRelease, following, type Pointer, type Releases, shortId } from '../operate/releases/model.ts'
import { releaseFolder, releasesOf } from '../operate/releases/open.ts'
import { serversOf } from '../operate/releases/servers.ts'
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

export type ReleaseLine = { readonly dir: string } & (
  | { readonly action: 'push'; readonly build: string }
  | { readonly action: 'list' }
  /** `id`: null for the one that was served before. */
  | { readonly action: 'activate'; readonly id: string | null; readonly dryRun: boolean; readonly force: boolean }
  | { readonly action: 'prune'; readonly keep: number }
)

export interface ReleaseOptions {
  readonly settings: Settings
  readonly version: string
  /** Paths of the programs that load a release, and that run its migrations. */
  readonly trial: string
  readonly thread: string
}

/** Releases that `prune` leaves. */
const KEPT = 5

/**
 * Runs the command.
 * @param rest the arguments after `release`
 * @returns the exit code: 1 when a release was refused
 * @throws StartError
 */
export async function releaseCommand(rest: readonly string[], options: ReleaseOptions): Promise<number> {
  const line = readReleaseLine(rest)
  switch (line.action) {
    case 'push': {
      const { id, isNew } = await push(line, options)
      say(id)
      // Apart from what a script reads.
      if (!isNew) process.stderr.write('It was there already.\n')
      return 0
    }
    case 'list':
      return list(line.dir, options)
    case 'prune':
      return alone(line.dir, options, (open) => prune(open, line.keep))
    case 'activate':
      return alone(line.dir, options, (open) => switchTo(open, line, options))
  }
}

/** A command's releases, and the database that they have to do with. */
interface Open {
  readonly releases: Releases
  readonly sql: Sql
  readonly settings: ReadySettings
}

async function push(
  { dir, build }: Extract<ReleaseLine, { action: 'push' }>,
  options: ReleaseOptions,
): ReturnType<Releases['push']> {
  // Nothing of a push into a folder needs a database.
  const folder = releaseFolder(options.settings, dir)
  return folder === null ? opened(dir, options, ({ releases }) => releases.push(build)) : folder.push(build)
}

async function switchTo(
  { releases, sql, settings }: Open,
  line: Extract<ReleaseLine, { action: 'activate' }>,
  options: ReleaseOptions,
): Promise<number> {
  const id = line.id === null ? await earlierOf(releases) : await findRelease(releases, line.id)
  const logger = createLogger('warn', true, process.stderr)
  try {
    const load: ActivateOptions['load'] = (built) => loadSite(built, runtime)
    await activate({ ...options, ...line, load, releases, id, root: resolve(line.dir), sql, settings, logger, say })
    return 0
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

/** @throws StartError when there is no earlier release */
async function earlierOf(releases: Releases): Promise<string> {
  const kept = new Set((await releases.list()).map(({ id }) => id))
  const earlier = (await releases.current())?.earlier.find((id) => kept.has(id))
  if (earlier === undefined)
    throw new StartError('No release was active before the present one, or none of them is kept.')
  return earlier
}

async function list(dir: string, options: ReleaseOptions): Promise<number> {
  const folder = releaseFolder(options.settings, dir)
  // No server serves from a folder in which nothing is active.
  if (folder !== null && (await folder.current()) === null) return print(folder, null, [])
  return opened(dir, options, async ({ releases, sql }) => {
    const current = await releases.current()
    return print(releases, current, current === null ? [] : await serversOf(sql, current.place))
  })
}

async function print(
  releases: Releases,
  current: Pointer | null,
  servers: readonly FollowingServer[],
): Promise<number> {
  const all = await releases.list()
  if (all.length === 0) say(`There are no releases in ${releases.place} yet: \`ingot release push BUILD\`.`)
  for (const { id, pushedAt, files, bytes } of all) {
    const serving = servers.filter(({ follows }) => follows.release === id)
    const state = [
      ...(current?.release === id ? ['active'] : []),
      ...(serving.length > 0 ? [`served by ${serving.length}`] : []),
      ...(current?.refused?.release === id ? [`refused: ${current.refused.reason.split('\n')[0]}`] : []),
    ]
    const pushed = `${pushedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`
    say(
      `${shortId(id)}  ${pushed}  ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB  ${state.join(', ')}`.trimEnd(),
    )
  }
  return 0
}

async function prune({ releases, sql }: Open, keep: number): Promise<number> {
  const [all, current] = await Promise.all([releases.list(), releases.current()])
  const servers = current === null ? [] : await serversOf(sql, current.place)
  const needed = new Set([current?.release, ...servers.map(({ follows }) => follows.release)])
  const others = all.filter(({ id }) => !needed.has(id))
  const gone = others.slice(Math.max(0, keep - (all.length - others.length)))
  for (const { id } of gone) {
    await releases.remove(id)
    say(`removed ${shortId(id)}`)
  }
  await releases.tidy(say)
  // The servers remove what they have of them.
  if (current !== null) await releases.replace(current, following(current, { release: current.release }))
  say(`${all.length - gone.length} kept.`)
  return 0
}

/** Runs an action on the releases of a folder, or of its database. */
async function opened<T>(dir: string, { settings }: ReleaseOptions, action: (open: Open) => Promise<T>): Promise<T> {
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir, pool: 4, logger }, ({ sql }, ready) =>
    action({ releases: releasesOf(settings, dir, sql), sql, settings: ready }),
  )
}

/** Runs an action that changes what is kept or served; @throws StartError while another one does */
async function alone<T>(dir: string, options: ReleaseOptions, action: (open: Open) => Promise<T>): Promise<T> {
  return opened(dir, options, async (open) => {
    // The lock goes with its connection, also when this process is killed.
    const address = readDatabaseUrl(open.settings.databaseUrl, 'DATABASE_URL')
    const session = createSession(address, 'ingot release', () => undefined)
    try {
      const [free] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCKS.release}) as taken`
      if (free?.taken !== true)
        throw new StartError(
          'Another `ingot release` is changing the releases just now, and nothing was done: `ingot release list` shows what is served when it has ended.',
        )
      return await action(open)
    } finally {
      await session.end({ timeout: 5 })
    }
  })
}

function say(line: string): void {
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
export function readReleaseLine(rest: readonly string[]): ReleaseLine {
  const line = readCommandLine('ingot release', rest, { switches: ['dry-run', 'force'], values: ['keep'] })
  const { words, has, value } = line
  const [action = '', ...more] = words
  const known = Object.hasOwn(OPTIONS, action) ? OPTIONS[action] : undefined
  if (known === undefined) {
    const what = action === '' ? 'needs to know what to do' : `cannot '${action}'`
    throw new StartError(`\`ingot release\` ${what}: give push, list, activate, rollback or prune.`)
  }
  onlyOptions(`ingot release ${action}`, line, known)
  const needs = action === 'push' || action === 'activate'
  const what = needs ? more.shift() : undefined
  if (needs && what === undefined)
    throw new StartError(
      `\`ingot release ${action}\` needs ${action === 'push' ? 'a build' : 'the name of a release'}.`,
    )
  const [dir = '.', extra] = more
  if (extra !== undefined) throw new StartError(`\`ingot release ${action}\` takes no '${extra}'.`)
  if (action === 'push') return { action, build: what ?? '', dir }
  if (action === 'list') return { action, dir }
  if (action === 'prune') return { action, dir, keep: keepOf(value('keep')) }
  return { action: 'activate', id: what ?? null, dir, dryRun: has('dry-run'), force: has('force') }
}

function keepOf(text: string | null): number {
  if (text === null) return KEPT
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new StartError('--keep is a number from 1 to 9999.')
  return Number(text)
}
