/** `ingot logs [DIR]`: reads and follows a site's log. Works with or without a running server. */
import { RE2JS } from 're2js'
import type { Sql } from 'postgres'
import { readCommandLine } from '../../core/command-line.ts'
import { createLogger } from '../../core/services/log.ts'
import type { Settings } from '../../core/settings.ts'
import { StartError } from '../../core/start-error.ts'
import { withStore } from '../../data/with-store.ts'
import { type Desktop, openDesktop } from './desktop.ts'
import { follow } from './follow.ts'
import type { KeptEntry } from './model.ts'
import { lastEntries, type LogFilter, matches } from './read.ts'
import { asJson, shown } from './shown.ts'

/** The parsed command line. */
export interface LogsArguments {
  readonly dir: string
  readonly filter: LogFilter
  readonly limit: number
  readonly json: boolean
  readonly follow: boolean
  readonly notify: boolean
}

/** Where the command writes, and the signal that ends it. */
export interface LogsOutput {
  /** Receives the entries. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  readonly signal: AbortSignal
  readonly desktop?: Desktop
}

const VALUES = ['type', 'grep', 'since', 'limit'] as const
const SWITCHES = ['follow', 'json', 'notify'] as const
const LIMIT = { read: 100, follow: 10, most: 100_000 } as const
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * Runs the command.
 * @returns the exit code
 * @throws StartError
 */
export async function logsCommand(line: LogsArguments, settings: Settings): Promise<number> {
  // Logs go to standard error, because scripts may read standard output.
  const logger = createLogger('warn', true, process.stderr)
  const over = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  // The reader has closed the pipe.
  process.stdout.on('error', () => over.abort())
  await withStore({ settings, dir: line.dir, pool: 2, logger }, ({ sql }) =>
    runLogsLine(line, sql, {
      out: (text) => void process.stdout.write(text),
      print: (text) => void process.stderr.write(text),
      signal: over.signal,
    }),
  )
  return 0
}

/**
 * Parses the arguments after `ingot logs`.
 * @param now reference time of `--since`
 * @throws StartError
 */
export function readLogsLine(rest: readonly string[], now: Date): LogsArguments {
  const { words, has, value } = readCommandLine('ingot logs', rest, { switches: SWITCHES, values: VALUES })
  const [dir = '.', extra] = words
  if (extra !== undefined) throw new StartError(`\`ingot logs\` takes one folder, not '${dir}' and '${extra}'.`)
  const following = has('follow')
  if (has('notify') && !following) throw new StartError('The option --notify goes with --follow.')
  return {
    dir,
    filter: {
      type: value('type'),
      grep: patternOf(value('grep') ?? undefined),
      since: sinceOf(value('since') ?? undefined, now),
    },
    // With `--since`, everything since that time is shown.
    limit: limitOf(value('limit') ?? undefined, has('since') ? LIMIT.most : following ? LIMIT.follow : LIMIT.read),
    json: has('json'),
    follow: following,
    notify: has('notify'),
  }
}

function patternOf(text: string | undefined): RE2JS | null {
  if (text === undefined) return null
  try {
    return RE2JS.compile(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`The pattern of --grep cannot be read (${why}): it is a regular expression of RE2.`)
  }
}

function sinceOf(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0) * 1000)
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : null
  if (date !== null && !Number.isNaN(date.getTime())) return date
  throw new StartError(`The option --since cannot be '${text}': give 30s, 15m, 2h, 3d, or a time as 2026-02-28T12:00Z.`)
}

function limitOf(text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMIT.most)
    throw new StartError(`The option --limit cannot be '${text}': give a number from 0 to ${LIMIT.most}.`)
  return limit
}

/**
 * Executes a parsed command line.
 * @throws the database client's errors
 */
export async function runLogsLine(line: LogsArguments, sql: Sql, output: LogsOutput): Promise<void> {
  const { filter, limit, json } = line
  const print = (entries: readonly KeptEntry[]): void => {
    for (const entry of entries) output.out(json ? asJson(entry) : shown(entry))
  }
  const earlier = async (): Promise<ReadonlySet<string>> => {
    const entries = await lastEntries(sql, filter, limit)
    print(entries)
    if (entries.length === 0 && !line.follow) output.print('There are no such entries.\n')
    return new Set(entries.map(({ id }) => id))
  }
  if (!line.follow) {
    await earlier()
    return
  }
  const desktop = line.notify ? (output.desktop ?? openDesktop((sentence) => output.print(`${sentence}\n`))) : null
  let lost = false
  try {
    await follow(sql, output.signal, {
      ready: earlier,
      show(entries) {
        const wanted = entries.filter((entry) => matches(entry, filter))
        print(wanted)
        for (const { type, message } of wanted) if (type === 'error') desktop?.raise(message)
      },
      away(error) {
        if (error !== null && !lost) {
          const why = error instanceof Error ? error.message : String(error)
          output.print(
            `The database cannot be reached (${why}): what is logged meanwhile is shown when it can be again.\n`,
          )
        } else if (error === null && lost) output.print('The database is there again.\n')
        lost = error !== null
      },
    })
  } finally {
    await desktop?.close()
  }
}
