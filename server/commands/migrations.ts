/** `ingot migrations list|run|retry`: the migrations of a built site. */
import { readCommandLine } from '../core/command-line.ts'
import * as runtime from '../../runtime/index.ts'
import { installQueue } from '../data/queue/install.ts'
import { openLogs } from '../web/logs/open.ts'
import type { Logger } from '../core/contracts/log.ts'
import { createLogger } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { openServed } from '../operate/releases/open.ts'
import { type BuiltSite, loadSite } from '../web/site/load.ts'
import { StartError } from '../core/start-error.ts'
import { withStore } from '../data/with-store.ts'
import { migrateSite } from '../operate/jobs/migrations/migrate-site.ts'
import { type MigrationState, migrationStates } from '../operate/jobs/migration-states.ts'
import { formatCell, formatTable } from './table.ts'

type MigrationsArguments = { readonly dir: string } & (
  | { readonly action: 'list' }
  | { readonly action: 'run' }
  /** `name`: the migration's name, or the timestamp at its beginning. */
  | { readonly action: 'retry'; readonly name: string }
)

export interface MigrationsOptions {
  readonly settings: Settings
  readonly version: string
  /** Path of the job thread's program. */
  readonly thread: string
}

/**
 * Runs the command.
 * @param args the arguments after `migrations`
 * @returns the exit code: 1 when a migration failed
 * @throws StartError
 */
export async function migrationsCommand(args: readonly string[], options: MigrationsOptions): Promise<number> {
  const line = readMigrationsLine(args)
  const logger = createLogger('info', true, process.stderr)
  const builtSite = await openServed({ dir: line.dir }, options.settings, logger)
  return withStore({ settings: options.settings, dir: builtSite.root, pool: 4, logger }, async (store, settings) => {
    await installQueue(settings.databaseUrl, store.sql)
    const { site } = await loadSite(builtSite, runtime)
    let states = await migrationStates(store.sql, site)
    const isSelected = line.action === 'retry' ? findRunnable(states, line.name) : () => true
    if (line.action !== 'list') {
      await store.prepare(site.data, null, builtSite.releases !== undefined)
      const thread = { file: options.thread, source: sourceOf(builtSite), settings, version: options.version }
      const logs = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
      try {
        const options = { sql: store.sql, site, thread, logger, log: logs, isSelected }
        const after = await resultOrNull(() => migrateSite(options), logger)
        if (after === null) return 1
        states = after
      } finally {
        await logs.close()
      }
    }
    process.stdout.write(formatStates(states))
    return line.action !== 'list' && states.some((migration) => isSelected(migration) && migration.state !== 'done')
      ? 1
      : 0
  })
}

function sourceOf(builtSite: BuiltSite) {
  return { kind: 'built', builtSite } as const
}

/**
 * Returns a predicate that matches the named migration.
 * @throws StartError when there is no such migration, or it is already done
 */
function findRunnable(states: readonly MigrationState[], name: string): (migration: MigrationState) => boolean {
  const matches = states.filter(
    (migration) => migration.name === name || fileName(migration.name).startsWith(`${name}_`),
  )
  const [first, second] = matches
  if (first === undefined)
    throw new StartError(`The site has no migration '${name}': list them with \`ingot migrations list\`.`)
  if (second !== undefined) {
    throw new StartError(
      `Several migrations begin with '${name}': give ${matches.map((migration) => migration.name).join(' or ')}.`,
    )
  }
  if (first.state === 'done') throw new StartError(`The migration ${first.name} is already done, and cannot run again.`)
  return (migration) => migration.name === first.name
}

function fileName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Returns the result of an action, or null when it fails with a StartError, which is logged. */
async function resultOrNull<T>(action: () => Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    logger.error({}, error.message)
    return null
  }
}

function formatStates(states: readonly MigrationState[]): string {
  if (states.length === 0) return 'The site has no migrations.\n'
  const rows = states.map(({ name, state, error, ranAt }) => [
    name,
    state,
    ranAt === null ? '' : `${ranAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    formatCell(error?.split('\n')[0] ?? ''),
  ])
  return formatTable(['MIGRATION', 'STATE', 'RAN', 'ERROR'], rows)
}

/**
 * Parses the arguments after `ingot migrations`.
 * @throws StartError
 */
function readMigrationsLine(args: readonly string[]): MigrationsArguments {
  const { words } = readCommandLine('ingot migrations', args, { switches: [], values: [] })
  const [action, ...more] = words
  if (action !== 'list' && action !== 'run' && action !== 'retry') {
    const what = action === undefined ? 'needs an action' : `has no action '${action}'`
    throw new StartError(`\`ingot migrations\` ${what}: give list, run or retry.`)
  }
  const name = action === 'retry' ? more.shift() : undefined
  const [dir = '.', extraArgument] = more
  if (extraArgument !== undefined)
    throw new StartError(`\`ingot migrations ${action}\` does not take '${extraArgument}'.`)
  if (action !== 'retry') return { action, dir }
  if (name === undefined) throw new StartError('`ingot migrations retry` needs the name of a migration.')
  return { action, name, dir }
}
