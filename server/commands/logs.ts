/** The command `ingot logs [DIR]`: prints and follows a site's log. Works with or without a running server. */
import { RE2JS } from 're2js'
import type { Sql } from 'postgres'
import { readCommandLine } from '../core/command-line.ts'
import { createLogger } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { withStore } from '../data/with-store.ts'
import { type Desktop, openDesktop } from '../web/logs/desktop-notifications.ts'
import { followLog } from '../web/logs/follow.ts'
import type { StoredEntry } from '../web/logs/model.ts'
import { lastEntries, type LogsArguments, matchesFilter } from '../web/logs/read-entries.ts'
import { formatJson, formatEntry } from '../web/logs/format-entry.ts'

/** Where the command writes, and the signal that ends it. @internal Exported for tests. */
export interface LogsOutput {
  /** Receives the entries. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  readonly signal: AbortSignal
  readonly desktop?: Desktop
}

const VALUE_OPTIONS = ['type', 'grep', 'since', 'limit'] as const
const SWITCH_OPTIONS = ['follow', 'json', 'notify'] as const
const LIMITS = { read: 100, follow: 10, most: 100_000 } as const
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * Runs the command.
 * @returns the exit code
 * @throws StartError
 */
export async function logsCommand(line: LogsArguments, settings: Settings): Promise<number> {
  // The command's own log goes to standard error, because scripts may read standard output.
  const logger = createLogger('warn', true, process.stderr)
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  // The error means that the reader has closed the pipe.
  process.stdout.on('error', () => stop.abort())
  await withStore({ settings, dir: line.dir, pool: 2, logger }, ({ sql }) =>
    runLogsLine(line, sql, {
      out: (text) => void process.stdout.write(text),
      print: (text) => void process.stderr.write(text),
      signal: stop.signal,
    }),
  )
  return 0
}

/**
 * Parses the arguments after `ingot logs`.
 * @param now reference time of `--since`
 * @throws StartError
 */
export function readLogsLine(args: readonly string[], now: Date): LogsArguments {
  const { words, has, value } = readCommandLine('ingot logs', args, { switches: SWITCH_OPTIONS, values: VALUE_OPTIONS })
  const [dir = '.', extraArgument] = words
  if (extraArgument !== undefined)
    throw new StartError(`\`ingot logs\` takes one folder, not '${dir}' and '${extraArgument}'.`)
  const following = has('follow')
  if (has('notify') && !following) throw new StartError('The option --notify needs --follow.')
  return {
    dir,
    filter: {
      type: value('type'),
      grep: parsePattern(value('grep') ?? undefined),
      since: parseSince(value('since') ?? undefined, now),
    },
    // With `--since`, all entries since that time are shown.
    limit: parseLimit(
      value('limit') ?? undefined,
      has('since') ? LIMITS.most : following ? LIMITS.follow : LIMITS.read,
    ),
    json: has('json'),
    follow: following,
    notify: has('notify'),
  }
}

function parsePattern(text: string | undefined): RE2JS | null {
  if (text === undefined) return null
  try {
    return RE2JS.compile(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The pattern of --grep is invalid (${reason}): use a regular expression of RE2.`)
  }
}

function parseSince(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(count) * (SECONDS_PER_UNIT[unit] ?? 0) * 1000)
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : null
  if (date !== null && !Number.isNaN(date.getTime())) return date
  throw new StartError(
    `The option --since cannot be '${text}': use a duration (30s, 15m, 2h, 3d, 1w) or a time such as 2026-02-28T12:00Z.`,
  )
}

function parseLimit(text: string | undefined, defaultLimit: number): number {
  if (text === undefined) return defaultLimit
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMITS.most)
    throw new StartError(`The option --limit cannot be '${text}': use a number from 0 to ${LIMITS.most}.`)
  return limit
}

/**
 * Executes a parsed command line.
 * @throws the database client's errors
 * @internal Exported for tests.
 */
export async function runLogsLine(line: LogsArguments, sql: Sql, output: LogsOutput): Promise<void> {
  const { filter, limit, json } = line
  const print = (entries: readonly StoredEntry[]): void => {
    for (const entry of entries) output.out(json ? formatJson(entry) : formatEntry(entry))
  }
  const printEarlier = async (): Promise<ReadonlySet<string>> => {
    const entries = await lastEntries(sql, filter, limit)
    print(entries)
    if (entries.length === 0 && !line.follow) output.print('No entries match.\n')
    return new Set(entries.map(({ id }) => id))
  }
  if (!line.follow) {
    await printEarlier()
    return
  }
  const desktop = line.notify ? (output.desktop ?? openDesktop((sentence) => output.print(`${sentence}\n`))) : null
  let isUnavailable = false
  try {
    await followLog(sql, output.signal, {
      ready: printEarlier,
      show(entries) {
        const matching = entries.filter((entry) => matchesFilter(entry, filter))
        print(matching)
        for (const { type, message } of matching) if (type === 'error') desktop?.raise(message)
      },
      away(error) {
        if (error !== null && !isUnavailable) {
          const reason = error instanceof Error ? error.message : String(error)
          output.print(`The database is not reachable (${reason}). New entries are shown when it is available again.\n`)
        } else if (error === null && isUnavailable) output.print('The database is available again.\n')
        isUnavailable = error !== null
      },
    })
  } finally {
    await desktop?.close()
  }
}
