/**
 * Activates a release: checks it, says what becomes of the tables, runs its migrations, and names it as the current one, which
 * every server follows. When one of them cannot serve it, all go back, and so do the tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import * as runtime from '../../runtime/index.ts'
import type { CompiledSite } from '../../runtime/page/site.ts'
import type { Logger } from '../contracts/log.ts'
import { leftSentence, migrateSite } from '../jobs/migrations/migrate-site.ts'
import { isDue, migrationStates } from '../jobs/migration-states.ts'
import { openLogs } from '../logs/open.ts'
import { installQueue } from '../queue/install.ts'
import type { ReadySettings } from '../settings.ts'
import { loadSite } from '../site/load.ts'
import { StartError } from '../start-error.ts'
import { applySchema, planSchema } from '../store/tables.ts'
import { checkRelease, refusedRelease, shortId } from './check.ts'
import type { Pointer, ReleaseFolder } from './folder.ts'
import { obstacles, planLines } from './plan.ts'

export interface ActivateOptions {
  readonly releases: ReleaseFolder
  readonly id: string
  /** Folder of the site. */
  readonly root: string
  readonly sql: Sql
  readonly settings: ReadySettings
  readonly version: string
  /** Paths of the programs that load a release, and that run its migrations. */
  readonly trial: string
  readonly thread: string
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** Goes on where rows would be out of reach or are converted back. */
  readonly force: boolean
  readonly logger: Logger
  say(line: string): void
}

/** Milliseconds between two looks at what the servers do. */
const LOOK_EVERY = 200

/**
 * Activates a release. Called by one process at a time.
 * @throws StartError when the one before stays
 */
export async function activate(options: ActivateOptions): Promise<void> {
  const { releases, id, root, sql, say } = options
  const before = await releases.current()
  if (before?.release === id && !options.dryRun) return say(`The release ${shortId(id)} is active already.`)
  await checkRelease(releases, id, root, options.trial)
  const { site } = await loadSite(releases.built(id, root), runtime)
  await installQueue(options.settings.databaseUrl, sql)
  const plan = await planSchema(sql, site.data)
  const due = (await migrationStates(sql, site)).filter((one) => one.state !== 'done' && isDue(one))
  for (const line of planLines(
    plan,
    due.map(({ name }) => name),
  ))
    say(line)
  const isBack = before?.earlier.includes(id) ?? false
  const refused = obstacles(plan, isBack, options.force)
  if (refused.length > 0)
    throw refusedRelease(id, `nothing was changed.${refused.map((one) => `\n  - ${one}`).join('')}`)
  if (options.dryRun) return say('Nothing was done: this was a dry run.')
  await releases.nameAssets(id, site.assets)
  try {
    await migrateData(options, site)
    await switchServers(options, before)
  } catch (error) {
    if (before !== null) await tablesBack(options, before.release)
    throw error
  }
}

async function migrateData(
  { root, releases, id, sql, settings, version, thread, logger, say }: ActivateOptions,
  site: CompiledSite,
): Promise<void> {
  await applySchema(sql, site.data, 'kept')
  const logs = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
  const source = { kind: 'built', built: releases.built(id, root) } as const
  try {
    const states = await migrateSite({
      sql,
      site,
      thread: { file: thread, source, settings, version },
      logger,
      log: logs,
    })
    const left = leftSentence(states)
    if (left !== null) say(left)
  } finally {
    await logs.close()
  }
}

/** @throws StartError when a server has gone back */
async function switchServers({ releases, id, say }: ActivateOptions, before: Pointer | null): Promise<void> {
  const earlier = before === null ? [] : laterThan(id, before)
  await releases.point({ release: id, since: new Date().toISOString(), earlier, refused: null })
  for (;;) {
    const [now, servers] = await Promise.all([releases.current(), releases.servers()])
    if (now?.refused?.release === id) {
      await allServe(releases, now.release)
      throw refusedRelease(
        id,
        `${now.refused.reason}\nAll servers serve the release ${shortId(now.release)} as before.`,
      )
    }
    if (now?.release !== id) throw refusedRelease(id, 'another release was named as the current one meanwhile.')
    if (servers.every(({ release }) => release === id)) {
      const count = servers.length === 1 ? '1 server serves' : `${servers.length} servers serve`
      return say(`The release ${shortId(id)} is active; ${count} it.`)
    }
    await sleep(LOOK_EVERY)
  }
}

/** What a rollback from a release goes through: going back takes the one that is left off the list. */
function laterThan(id: string, { release, earlier }: Pointer): string[] {
  const at = earlier.indexOf(id)
  return at < 0 ? [release, ...earlier] : earlier.slice(at + 1)
}

async function allServe(releases: ReleaseFolder, id: string): Promise<void> {
  while (!(await releases.servers()).every(({ release }) => release === id)) await sleep(LOOK_EVERY)
}

/** Gives the tables what the release that goes on being served declares; rows of tables that it does not know stay. */
async function tablesBack({ releases, root, sql, say }: ActivateOptions, id: string): Promise<void> {
  try {
    const { site } = await loadSite(releases.built(id, root), runtime)
    await applySchema(sql, site.data, 'kept')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    say(`The tables stay as the refused release has left them: ${error.message}`)
  }
}
