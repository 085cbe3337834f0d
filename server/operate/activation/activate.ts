/**
 * Activates a release: checks it, reports the changes to the tables, makes every server fetch it, runs its migrations, and sets it as
 * the current release, which every server follows. When one server cannot serve it, all return to the previous release. Values are
 * converted only when no server uses the previous release any more. Until then, the tables work with both releases.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { failedModulesNotice, migrateSite } from '../jobs/migrations/migrate-site.ts'
import { holdMigrations, isDue, type MigrationState, migrationStates } from '../jobs/migration-states.ts'
import { openLogs } from '../../web/logs/open.ts'
import { installQueue } from '../../data/queue/install.ts'
import { nextPointer, type Pointer, type PointerChange, type Releases, shortId } from '../releases/model.ts'
import { liveFolderServers, liveServers, serverName } from '../releases/servers.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { BuiltSite, LoadedSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { FollowingServer } from '../../data/store/servers.ts'
import { addSchema, applySchema, planSchema } from '../../data/store/tables.ts'
import { checkRelease, refusedRelease } from './check.ts'
import { findObstacles, describeTableChanges } from './table-changes.ts'

export interface ActivateOptions {
  readonly releases: Releases
  readonly id: string
  /** Folder of the site. */
  readonly root: string
  readonly sql: Sql
  readonly settings: ReadySettings
  readonly version: string
  /** Path of the program that test-loads a release; null where this process has just built the release and loads it itself. */
  readonly trial: string | null
  /** Path of the program that runs the migrations. */
  readonly thread: string
  /** Loads a build. */
  readonly load: (builtSite: BuiltSite) => Promise<LoadedSite>
  /** Whether to only report the changes. */
  readonly dryRun: boolean
  /** Whether to activate although rows become unreachable or are converted back. */
  readonly force: boolean
  /** Whether the release was built just now: it is served without earlier edits, and does not count as a rollback. */
  readonly unedited?: boolean
  /** Files that were sent one by one. Migrations among them are held back, like earlier held ones. When absent, all migrations run. */
  readonly singleFiles?: readonly string[]
  /** Chooses the earlier releases that a rollback can go back to. By default, these are all. */
  readonly targets?: (earlier: readonly string[]) => Promise<readonly string[]>
  readonly logger: Logger
  print(line: string): void
}

/** Milliseconds before the second check of the servers, and the longest time between two checks. */
const FIRST_CHECK_DELAY = 4
const MAX_CHECK_DELAY = 200

/**
 * Activates a release. Only one process may call it at a time.
 * @throws StartError when the previous release stays active, or the tables cannot be converted
 */
export async function activate(options: ActivateOptions): Promise<void> {
  const { releases, id, root, sql, print } = options
  const previousPointer = await releases.current()
  if (options.trial !== null) await checkRelease(releases, id, root, options.trial)
  const builtSite = await releases.openBuild(id, root)
  const { site } = await options.load(builtSite)
  await installQueue(options.settings.databaseUrl, sql)
  const plan = await planSchema(sql, site.data)
  const mayRun = migrationFilter(options, site)
  const dueMigrations = (await migrationStates(sql, site)).filter(
    (migration) => migration.state !== 'done' && mayRun(migration),
  )
  const lines = describeTableChanges(
    plan,
    dueMigrations.map(({ name }) => name),
  )
  const isActive = previousPointer?.release === id && (options.unedited !== true || previousPointer.revision === 0)
  if (isActive && lines.length === 0) {
    print(`The release ${shortId(id)} is already active.`)
    return reportFolderServers(sql, print)
  }
  for (const line of lines.length === 0 ? ['The tables do not change.'] : ['Changes to the database:', ...lines])
    print(line)
  // A release that was just built is not a rollback, even if it equals an earlier release.
  const isRollback = options.unedited !== true && (previousPointer?.earlier.includes(id) ?? false)
  const problems = findObstacles(plan, isRollback, options.force)
  if (problems.length > 0)
    throw refusedRelease(id, `nothing was changed.${problems.map((migration) => `\n  - ${migration}`).join('')}`)
  if (options.dryRun) return print('Nothing was changed, because this was a dry run.')
  await releases.nameAssets(id, site.assets)
  const announced = previousPointer === null || isActive ? previousPointer : await announce(options, previousPointer)
  try {
    await addSchema(sql, site.data)
    await runMigrations(options, site, builtSite)
    const activated = isActive ? previousPointer : await setCurrent(options, announced)
    await convertTables(options, site, await waitUntilServed(options, activated))
  } catch (error) {
    if (previousPointer !== null && !isActive) await restoreTables(options, previousPointer.release)
    throw error
  }
}

/** Makes every server fetch the release. @throws StartError when one of them cannot */
async function announce(options: ActivateOptions, previousPointer: Pointer): Promise<Pointer> {
  const { releases, id } = options
  const announced = await replacePointer(options, previousPointer, { release: previousPointer.release, coming: id })
  const { pointer: now, servers } = await waitForServers(options, announced)
  if (now.generation !== announced.generation) throw otherReleaseError(id)
  const problems = servers.filter(({ follows }) => follows.problem !== null)
  if (problems.length === 0) return announced
  await releases.replace(announced, nextPointer(announced, { release: previousPointer.release }))
  const lines = problems.map((server) => `\n  - ${serverName(server)}: ${server.follows.problem}`)
  throw refusedRelease(id, `nothing was changed.${lines.join('')}`)
}

/** Returns a filter for the migrations that this activation runs. */
function migrationFilter({ singleFiles }: ActivateOptions, site: CompiledSite): (migration: MigrationState) => boolean {
  if (singleFiles === undefined) return (migration) => migration.isHeld || isDue(migration)
  const held = new Set(migrationsAmong(site, singleFiles))
  return (migration) => isDue(migration) && !held.has(migration.name)
}

function migrationsAmong(site: CompiledSite, files: readonly string[]): string[] {
  return site.migrations.filter(({ file }) => files.includes(file)).map(({ name }) => name)
}

async function runMigrations(options: ActivateOptions, site: CompiledSite, builtSite: BuiltSite): Promise<void> {
  const { sql, settings, version, thread, logger, print, singleFiles = [] } = options
  await holdMigrations(sql, migrationsAmong(site, singleFiles))
  const logs = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
  const source = { kind: 'built', builtSite } as const
  try {
    const states = await migrateSite({
      sql,
      site,
      thread: { file: thread, source, settings, version },
      logger,
      log: logs,
      isSelected: migrationFilter(options, site),
    })
    const left = failedModulesNotice(states)
    if (left !== null) print(left)
  } finally {
    await logs.close()
  }
}

/** Sets the release as the current one. */
async function setCurrent(options: ActivateOptions, previousPointer: Pointer | null): Promise<Pointer> {
  const { id, unedited = false, targets = async (earlier) => earlier } = options
  const earlier = previousPointer === null ? [] : await targets(rollbackTargets(id, previousPointer))
  const change = { release: id, earlier: [...earlier], ...(unedited && { revision: 0 }) }
  return replacePointer(options, previousPointer, change)
}

/** Returns the releases that a later rollback goes through. A rollback removes the release that it leaves from the list. */
function rollbackTargets(id: string, { release, earlier }: Pointer): string[] {
  const at = earlier.indexOf(id)
  if (release === id) return [...earlier]
  return at < 0 ? [release, ...earlier] : earlier.slice(at + 1)
}

/** Replaces the pointer to the current release. @throws StartError when another process has changed it meanwhile */
async function replacePointer(
  { releases, id }: ActivateOptions,
  previousPointer: Pointer | null,
  next: PointerChange,
): Promise<Pointer> {
  const changed = await releases.replace(previousPointer, nextPointer(previousPointer, next))
  if (changed === null) throw otherReleaseError(id)
  return changed
}

function otherReleaseError(id: string): StartError {
  return refusedRelease(id, 'another release was activated meanwhile.')
}

export interface ServerAnswers {
  /** The pointer that all servers have followed: the given one, or a later one. */
  readonly pointer: Pointer
  readonly servers: readonly FollowingServer[]
}

/** Waits until every live server has followed the pointer, or a later one. */
export async function waitForServers(
  { releases, sql }: Pick<ActivateOptions, 'releases' | 'sql'>,
  pointer: Pointer,
): Promise<ServerAnswers> {
  for (let pause = FIRST_CHECK_DELAY; ; pause = Math.min(MAX_CHECK_DELAY, pause * 2)) {
    // Servers are read before the pointer: a server that returned to the previous release has set a newer pointer, and follows that one.
    const servers = await liveServers(sql, pointer.place)
    const now = (await releases.current()) ?? pointer
    if (servers.every(({ follows }) => follows.generation >= now.generation)) return { pointer: now, servers }
    await sleep(pause)
  }
}

/** Waits until all servers serve the release. @throws StartError when one of them has returned to the previous release */
async function waitUntilServed(options: ActivateOptions, activated: Pointer): Promise<readonly FollowingServer[]> {
  const { id } = options
  const { pointer: now, servers } = await waitForServers(options, activated)
  if (now.release === id) return servers
  const { refused } = now
  if (refused?.release !== id) throw otherReleaseError(id)
  const servedNotice = `All servers serve the release ${shortId(now.release)} as before.`
  throw refusedRelease(id, `${refused.reason} (${refused.server})\n${servedNotice}`)
}

const FOLLOW_RELEASES =
  'restart it (without --out, if it was started with it), with the INGOT_RELEASES and INGOT_DATA of this command, and it serves the active release.'

/** Reports the servers that no activation reaches. */
async function reportFolderServers(sql: Sql, print: (line: string) => void): Promise<void> {
  for (const server of await liveFolderServers(sql))
    print(`${serverName(server)}, serves the build of a folder instead of releases: ${FOLLOW_RELEASES}`)
}

/** Converts the tables to the declarations of the release, now that no server uses another one. @throws StartError */
async function convertTables(
  { id, sql, print }: ActivateOptions,
  site: CompiledSite,
  servers: readonly FollowingServer[],
): Promise<void> {
  const count = ['no server serves it', '1 server serves it'][servers.length] ?? `${servers.length} servers serve it`
  print(`The release ${shortId(id)} is active; ${count}.`)
  for (const server of servers) print(`  ${serverName(server)}`)
  await reportFolderServers(sql, print)
  try {
    await applySchema(sql, site.data, 'kept')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new StartError(
      `${error.message}\nThese values were written while the servers switched, and stay unconverted: correct them, and activate the release again.`,
    )
  }
}

/** Restores the tables to the declarations of the release that stays active. Rows of tables that it does not know are kept. */
async function restoreTables({ releases, root, sql, print, load }: ActivateOptions, id: string): Promise<void> {
  if ((await releases.current())?.release !== id) return
  try {
    const { site } = await load(await releases.openBuild(id, root))
    await applySchema(sql, site.data, 'kept')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    print(`The tables keep the changes of the refused release: ${error.message}`)
  }
}
