/** `ingot release`: keeps builds, and says which of them is served. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '../services/log.ts'
import type { ReadySettings, Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { createSession } from '../store/connection.ts'
import { readDatabaseUrl } from '../store/database-url.ts'
import { LOCKS } from '../store/locks.ts'
import type { Store } from '../store/store.ts'
import { withStore } from '../with-store.ts'
import { activate } from './activate.ts'
import { shortId } from './check.ts'
import { ReleaseFolder, releasesFolder } from './folder.ts'

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
  const releases = new ReleaseFolder(releasesFolder(options.settings, line.dir))
  switch (line.action) {
    case 'push': {
      const { id, isNew } = await releases.push(line.build)
      say(`${id}${isNew ? '' : ' (it was there already)'}`)
      return 0
    }
    case 'list':
      await list(releases)
      return 0
    case 'prune':
      await alone(line.dir, options, async () => prune(releases, line.keep))
      return 0
    case 'activate':
      return switchTo(releases, line, options)
  }
}

async function switchTo(
  releases: ReleaseFolder,
  line: Extract<ReleaseLine, { action: 'activate' }>,
  options: ReleaseOptions,
): Promise<number> {
  const named = line.id === null ? null : await releases.find(line.id)
  return alone(line.dir, options, async (store, settings) => {
    const id = named ?? (await earlierOf(releases))
    const logger = createLogger('warn', true, process.stderr)
    try {
      await activate({
        ...options,
        ...line,
        releases,
        id,
        root: resolve(line.dir),
        sql: store.sql,
        settings,
        logger,
        say,
      })
      return 0
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      process.stderr.write(`${error.message}\n`)
      return 1
    }
  })
}

/** @throws StartError when there is no earlier release */
async function earlierOf(releases: ReleaseFolder): Promise<string> {
  const kept = new Set((await releases.list()).map(({ id }) => id))
  const earlier = (await releases.current())?.earlier.find((id) => kept.has(id))
  if (earlier === undefined)
    throw new StartError('No release was active before the present one, or none of them is kept.')
  return earlier
}

async function list(releases: ReleaseFolder): Promise<void> {
  const [all, current, servers] = await Promise.all([releases.list(), releases.current(), releases.servers()])
  if (all.length === 0) return say(`There are no releases in '${releases.folder}' yet: \`ingot release push BUILD\`.`)
  for (const { id, pushedAt, files, bytes } of all) {
    const serving = servers.filter(({ release }) => release === id).length
    const state = [
      ...(current?.release === id ? ['active'] : []),
      ...(serving > 0 ? [`served by ${serving}`] : []),
      ...(current?.refused?.release === id ? [`refused: ${current.refused.reason.split('\n')[0]}`] : []),
    ]
    const pushed = `${pushedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`
    say(
      `${shortId(id)}  ${pushed}  ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB  ${state.join(', ')}`.trimEnd(),
    )
  }
}

async function prune(releases: ReleaseFolder, keep: number): Promise<void> {
  const [all, current, servers] = await Promise.all([releases.list(), releases.current(), releases.servers()])
  const needed = new Set([...(current === null ? [] : [current.release]), ...servers.map(({ release }) => release)])
  const others = all.filter(({ id }) => !needed.has(id))
  const gone = others.slice(Math.max(0, keep - needed.size))
  for (const { id } of gone) {
    await releases.remove(id)
    say(`removed ${shortId(id)}`)
  }
  await releases.sweep()
  say(`${all.length - gone.length} kept.`)
}

/** Runs an action while no other one changes the releases of this database; it waits for one that does, and says so. */
async function alone<T>(
  dir: string,
  { settings }: ReleaseOptions,
  action: (store: Store, settings: ReadySettings) => Promise<T>,
): Promise<T> {
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir, pool: 4, logger }, async (store, ready) => {
    // The lock goes with its connection, also when this process is killed.
    const session = createSession(readDatabaseUrl(ready.databaseUrl, 'DATABASE_URL'), 'ingot release', () => undefined)
    try {
      const [free] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCKS.release}) as taken`
      if (free?.taken !== true) {
        say('Waiting: the releases are being changed by another `ingot release`.')
        await session`select pg_advisory_lock(${LOCKS.release})`
      }
      return await action(store, ready)
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
  const options = { 'dry-run': { type: 'boolean' }, force: { type: 'boolean' }, keep: { type: 'string' } } as const
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, tokens: true, allowPositionals: true })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  const [action = '', ...more] = words
  const known = Object.hasOwn(OPTIONS, action) ? OPTIONS[action] : undefined
  if (known === undefined) {
    const what = action === '' ? 'needs to know what to do' : `cannot '${action}'`
    throw new StartError(`\`ingot release\` ${what}: give push, list, activate, rollback or prune.`)
  }
  const foreign = given.find(({ name }) => !known.includes(name))
  if (foreign !== undefined) throw new StartError(`\`ingot release ${action}\` has no option '${foreign.rawName}'.`)
  const needs = action === 'push' || action === 'activate'
  const what = needs ? more.shift() : undefined
  if (needs && what === undefined)
    throw new StartError(
      `\`ingot release ${action}\` needs ${action === 'push' ? 'a build' : 'the name of a release'}.`,
    )
  const [dir = '.', extra] = more
  if (extra !== undefined) throw new StartError(`\`ingot release ${action}\` takes no '${extra}'.`)
  const has = (name: string): boolean => given.some((option) => option.name === name)
  if (action === 'push') return { action, build: what ?? '', dir }
  if (action === 'list') return { action, dir }
  if (action === 'prune') return { action, dir, keep: keepOf(given.at(-1)?.value) }
  return { action: 'activate', id: what ?? null, dir, dryRun: has('dry-run'), force: has('force') }
}

function keepOf(text: string | boolean | undefined): number {
  if (text === undefined) return KEPT
  if (typeof text !== 'string' || !/^[1-9]\d{0,3}$/.test(text))
    throw new StartError('--keep is a number from 1 to 9999.')
  return Number(text)
}
