/** `ingot migrations list|run`: the migrations of a site that was built. */
import { parseArgs } from 'node:util'
import * as runtime from '../../runtime/index.ts'
import { installQueue } from '../queue/install.ts'
import { openLogs } from '../logs/open.ts'
import { createLogger, type Logger } from '../services/log.ts'
import type { Settings } from '../settings.ts'
import { type BuiltSite, findBuilt, loadSite } from '../site/load.ts'
import { StartError } from '../start-error.ts'
import { withStore } from '../with-store.ts'
import { migrateSite } from './migrate-site.ts'
import { type MigrationState, migrationStates } from './migrations.ts'
import { cell, columns } from './table.ts'

export interface MigrationsLine {
  readonly action: 'list' | 'run'
  readonly dir: string
}

export interface MigrationsOptions {
  readonly settings: Settings
  readonly version: string
  /** The module of a thread of jobs. */
  readonly thread: string
}

/**
 * Runs the command.
 * @param rest what follows `migrations`
 * @returns the exit code: 1 where a migration failed
 * @throws StartError
 */
export async function migrationsCommand(rest: readonly string[], options: MigrationsOptions): Promise<number> {
  const line = readMigrationsLine(rest)
  const built = findBuilt(line.dir)
  const logger = createLogger('info', true, process.stderr)
  return withStore({ settings: options.settings, dir: built.root, pool: 4, logger }, async (store, settings) => {
    await installQueue(settings.databaseUrl, store.sql)
    const { site } = await loadSite(built, runtime)
    if (line.action === 'run') {
      await store.prepare(site.data, null)
      const thread = { file: options.thread, source: sourceOf(built), settings, version: options.version }
      const logs = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
      try {
        if (!(await ran(() => migrateSite({ sql: store.sql, site, thread, logger, log: logs }), logger))) return 1
      } finally {
        await logs.close()
      }
    }
    process.stdout.write(shown(await migrationStates(store.sql, site)))
    return 0
  })
}

function sourceOf(built: BuiltSite) {
  return { kind: 'built', built } as const
}

async function ran(act: () => Promise<void>, logger: Logger): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    logger.error({}, error.message)
    return false
  }
}

function shown(states: readonly MigrationState[]): string {
  if (states.length === 0) return 'The site has no migrations.\n'
  const rows = states.map(({ name, state, error, ranAt }) => [
    name,
    state,
    ranAt === null ? '' : `${ranAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    cell(error?.split('\n')[0] ?? ''),
  ])
  return columns(['MIGRATION', 'STATE', 'RAN', 'ERROR'], rows)
}

/** Reads what follows `ingot migrations`. @throws StartError */
export function readMigrationsLine(rest: readonly string[]): MigrationsLine {
  const { tokens } = parseArgs({ args: [...rest], strict: false, tokens: true, allowPositionals: true })
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind === 'option') throw new StartError(`\`ingot migrations\` has no option '${token.rawName}'.`)
  }
  const [action, dir = '.', extra] = words
  if (action !== 'list' && action !== 'run') {
    const what = action === undefined ? 'needs to know what to do' : `cannot '${action}'`
    throw new StartError(`\`ingot migrations\` ${what}: give list or run.`)
  }
  if (extra !== undefined) throw new StartError(`\`ingot migrations ${action}\` takes no '${extra}'.`)
  return { action, dir }
}
