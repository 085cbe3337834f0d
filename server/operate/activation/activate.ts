/**
 * Activates a release: checks it, says what becomes of the tables, has every server get it, runs its migrations, and names it as the
 * current one, which every server follows. When one of them cannot serve it, all go back. Values are converted when nobody serves the
 * release before any more: until then the tables are what both can work with.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { leftSentence, migrateSite } from '../jobs/migrations/migrate-site.ts'
import { holdMigrations, isDue, type MigrationState, migrationStates } from '../jobs/migration-states.ts'
import { openLogs } from '../../web/logs/open.ts'
import { installQueue } from '../../data/queue/install.ts'
import { following, type Pointer, type PointerChange, type Releases, shortId } from '../releases/model.ts'
import { serverName, serversOf } from '../releases/servers.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { BuiltSite, LoadedSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { FollowingServer } from '../../data/store/servers.ts'
import { addSchema, applySchema, planSchema } from '../../data/store/tables.ts'
import { checkRelease, refusedRelease } from './check.ts'
import { obstacles, planLines } from './plan.ts'

export interface ActivateOptions {
  readonly releases: Releases
  readonly id: string
  /** Folder of the site. */
  readonly root: string
  readonly sql: Sql
  readonly settings: ReadySettings
  readonly version: string
  /** Path of the program that loads a release to see whether that goes well; null where this process has just made it, and may try. */
  readonly trial: string | null
  /** Path of the program that runs its migrations. */
  readonly thread: string
  /** Loads a build. */
  readonly load: (built: BuiltSite) => Promise<LoadedSite>
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** Goes on where rows would be out of reach or are converted back. */
  readonly force: boolean
  /** The release was made just now: it is to be served as it was made, without edits that it had before, and nobody goes back to it. */
  readonly unedited?: boolean
  /** Files that came alone: migrations among them wait, as those that came so before. Without it all of them run. */
  readonly alone?: readonly string[]
  readonly logger: Logger
  say(line: string): void
}

/** Milliseconds before the second look at what the servers do, and at most between two. */
const LOOK_SOON = 4
const LOOK_EVERY = 200

/**
 * Activates a release. Called by one process at a time.
 * @throws StartError when the one before stays, and when the tables do not follow
 */
export async function activate(options: ActivateOptions): Promise<void> {
  const { releases, id, root, sql, say } = options
  const before = await releases.current()
  if (options.trial !== null) await checkRelease(releases, id, root, options.trial)
  const built = await releases.built(id, root)
  const { site } = await options.load(built)
  await installQueue(options.settings.databaseUrl, sql)
  const plan = await planSchema(sql, site.data)
  const due = (await migrationStates(sql, site)).filter((one) => one.state !== 'done' && wantedBy(options, site)(one))
  const lines = planLines(
    plan,
    due.map(({ name }) => name),
  )
  const isActive = before?.release === id && (options.unedited !== true || before.revision === 0)
  if (isActive && lines.length === 0) return say(`The release ${shortId(id)} is active already.`)
  for (const line of lines.length === 0 ? ['The tables stay as they are.'] : ['In the database it will:', ...lines])
    say(line)
  // What is made anew goes on, also where it is what was served before.
  const isBack = options.unedited !== true && (before?.earlier.includes(id) ?? false)
  const refused = obstacles(plan, isBack, options.force)
  if (refused.length > 0)
    throw refusedRelease(id, `nothing was changed.${refused.map((one) => `\n  - ${one}`).join('')}`)
  if (options.dryRun) return say('Nothing was done: this was a dry run.')
  await releases.nameAssets(id, site.assets)
  const announced = before === null || isActive ? before : await announce(options, before)
  try {
    await addSchema(sql, site.data)
    await runMigrations(options, site, built)
    const named = isActive ? before : await name(options, announced)
    await tablesFollow(options, site, await allServe(options, named))
  } catch (error) {
    if (before !== null && !isActive) await tablesBack(options, before.release)
    throw error
  }
}

/** Has every server get the release. @throws StartError when one of them cannot */
async function announce(options: ActivateOptions, before: Pointer): Promise<Pointer> {
  const { releases, id } = options
  const announced = await change(options, before, { release: before.release, coming: id })
  const { now, servers } = await answers(options, announced)
  if (now.generation !== announced.generation) throw another(id)
  const problems = servers.filter(({ follows }) => follows.problem !== null)
  if (problems.length === 0) return announced
  await releases.replace(announced, following(announced, { release: before.release }))
  const told = problems.map((server) => `\n  - ${serverName(server)}: ${server.follows.problem}`)
  throw refusedRelease(id, `nothing was changed.${told.join('')}`)
}

/** Which of the migrations that have not run are to run. */
function wantedBy({ alone }: ActivateOptions, site: CompiledSite): (migration: MigrationState) => boolean {
  if (alone === undefined) return (one) => one.isHeld || isDue(one)
  const held = new Set(migrationsAmong(site, alone))
  return (one) => isDue(one) && !held.has(one.name)
}

function migrationsAmong(site: CompiledSite, files: readonly string[]): string[] {
  return site.migrations.filter(({ file }) => files.includes(file)).map(({ name }) => name)
}

async function runMigrations(options: ActivateOptions, site: CompiledSite, built: BuiltSite): Promise<void> {
  const { sql, settings, version, thread, logger, say, alone = [] } = options
  await holdMigrations(sql, migrationsAmong(site, alone))
  const logs = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
  const source = { kind: 'built', built } as const
  try {
    const states = await migrateSite({
      sql,
      site,
      thread: { file: thread, source, settings, version },
      logger,
      log: logs,
      wanted: wantedBy(options, site),
    })
    const left = leftSentence(states)
    if (left !== null) say(left)
  } finally {
    await logs.close()
  }
}

/** Names the release as the current one. */
async function name(options: ActivateOptions, before: Pointer | null): Promise<Pointer> {
  const { id, unedited = false } = options
  const earlier = before === null ? [] : earlierThan(id, before)
  return change(options, before, { release: id, earlier, ...(unedited && { revision: 0 }) })
}

/** What a rollback from a release goes through: going back takes the one that is left off the list. */
function earlierThan(id: string, { release, earlier }: Pointer): string[] {
  const at = earlier.indexOf(id)
  if (release === id) return [...earlier]
  return at < 0 ? [release, ...earlier] : earlier.slice(at + 1)
}

/** @throws StartError when another process has changed the pointer meanwhile */
async function change(
  { releases, id }: ActivateOptions,
  before: Pointer | null,
  next: PointerChange,
): Promise<Pointer> {
  const changed = await releases.replace(before, following(before, next))
  if (changed === null) throw another(id)
  return changed
}

function another(id: string): StartError {
  return refusedRelease(id, 'another release was named as the current one meanwhile.')
}

export interface Answers {
  /** The pointer that all of them have followed: the one that was asked for, or a later one. */
  readonly now: Pointer
  readonly servers: readonly FollowingServer[]
}

/** Waits until every server that lives has done what the pointer asks of it. */
export async function answers(
  { releases, sql }: Pick<ActivateOptions, 'releases' | 'sql'>,
  pointer: Pointer,
): Promise<Answers> {
  for (let pause = LOOK_SOON; ; pause = Math.min(LOOK_EVERY, pause * 2)) {
    // Read first: a server that has gone back from the pointer has followed the one that it put in its place.
    const servers = await serversOf(sql, pointer.place)
    const now = (await releases.current()) ?? pointer
    if (servers.every(({ follows }) => follows.generation >= now.generation)) return { now, servers }
    await sleep(pause)
  }
}

/** @throws StartError when a server has gone back */
async function allServe(options: ActivateOptions, named: Pointer): Promise<readonly FollowingServer[]> {
  const { id } = options
  const { now, servers } = await answers(options, named)
  if (now.release === id) return servers
  const { refused } = now
  if (refused?.release !== id) throw another(id)
  const all = `All servers serve the release ${shortId(now.release)} as before.`
  throw refusedRelease(id, `${refused.reason} (${refused.server})\n${all}`)
}

/** Gives the tables what the release declares, now that no server works with another one. @throws StartError */
async function tablesFollow(
  { id, sql, say }: ActivateOptions,
  site: CompiledSite,
  servers: readonly FollowingServer[],
): Promise<void> {
  const count = ['no server runs', '1 server serves it'][servers.length] ?? `${servers.length} servers serve it`
  say(`The release ${shortId(id)} is active; ${count}.`)
  for (const server of servers) say(`  ${serverName(server)}`)
  try {
    await applySchema(sql, site.data, 'kept')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new StartError(
      `${error.message}\nThese values were written while the servers changed, and are read as they are: mend them, and activate the release again to have them converted.`,
    )
  }
}

/** Gives the tables what the release that goes on being served declares; rows of tables that it does not know stay. */
async function tablesBack({ releases, root, sql, say, load }: ActivateOptions, id: string): Promise<void> {
  if ((await releases.current())?.release !== id) return
  try {
    const { site } = await load(await releases.built(id, root))
    await applySchema(sql, site.data, 'kept')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    say(`The tables stay as the refused release has left them: ${error.message}`)
  }
}
