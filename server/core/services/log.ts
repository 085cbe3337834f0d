/** Logging: JSON lines for machines (pino) or short readable lines in development, and the log of the site. */
import type { Writable } from 'node:stream'
import pino from 'pino'
import type { LogEntry, LogPort } from '../../../runtime/page/services.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { str } from '../../../runtime/page/values/text.ts'
import type { Logger, LogOrigin, SiteLog } from '../contracts/log.ts'
import type { Environment } from '../settings.ts'
import { type Colors, colorsFor } from './colors.ts'
import { LogOutput } from './log-output.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * Creates the process's logger. JSON lines are buffered and written at least once a second.
 * @param pretty writes one readable line for each entry instead of JSON
 */
export function createLogger(
  level: LogLevel,
  pretty: boolean,
  out: Pick<Writable, 'write'> | pino.DestinationStream = process.stdout,
): Logger {
  const options: pino.LoggerOptions = { level, base: { pid: process.pid } }
  if (pretty) {
    const colors = colorsFor(out)
    return pino(options, { write: (line) => void out.write(prettyLine(line, colors)) })
  }
  if (out !== process.stdout) return pino(options, { write: (line) => void out.write(line) })
  return pino(options, new LogOutput())
}

/**
 * Returns the port of the `log` tag.
 * @param origin called with each entry
 */
export function createLogPort(log: SiteLog, origin: () => LogOrigin): LogPort {
  return { write: (entry) => log.write(entry, origin()) }
}

/**
 * Returns a site log that only writes to the process's log. Entries for another environment are dropped; a type `error…` is
 * logged as an error.
 */
export function processLog(logger: Logger, environment: Environment): SiteLog {
  return {
    write(entry) {
      if (!isFor(entry, environment)) return
      const { message, file, line, type } = entry
      const fields = { ...(file !== '' && { template: `${file}:${line}` }), type }
      const level =
        entry.fault !== undefined || /error/i.test(type) ? 'error' : /warn|deprec/i.test(type) ? 'warn' : 'info'
      if (typeof message === 'string') logger[level](fields, message)
      else logger[level]({ ...fields, data: toLogValue(message) }, 'log')
    },
    failed: () => undefined,
  }
}

/** Converts a template's value for logging, because times and exact numbers are objects. */
function toLogValue(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message
  if (!Array.isArray(message) && !isHash(message)) return str(message)
  try {
    return JSON.parse(toJson(message))
  } catch (error) {
    return `a value that cannot be shown (${error instanceof Error ? error.message : String(error)})`
  }
}

export function isFor({ env }: Pick<LogEntry, 'env'>, environment: Environment): boolean {
  return env === 'all' || env === environment
}

const LEVELS: Readonly<Record<number, 'red' | 'yellow' | 'dim'>> = { 60: 'red', 50: 'red', 40: 'yellow', 30: 'dim' }

/** The fields of a log line that are printed in development. */
type PrettyEntry = Readonly<
  Partial<
    Record<
      | 'level'
      | 'time'
      | 'msg'
      | 'query'
      | 'method'
      | 'path'
      | 'status'
      | 'ms'
      | 'template'
      | 'reason'
      | 'stack'
      | 'data',
      unknown
    >
  >
>

function prettyLine(line: string, colors: Colors): string {
  const { level, time, msg, query, method, path, status, ms, template, reason, stack, data }: PrettyEntry =
    JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const colorLevel = colors[LEVELS[Number(level)] ?? 'dim']
  const parts = [colors.dim(clock)]
  if (typeof status === 'number') {
    const code = status >= 500 ? colors.red : status >= 400 ? colors.yellow : colors.green
    // A slow page has a second line with another message, in addition to the line of its request.
    if (msg !== 'request') parts.push(colorLevel(escapeControls(String(msg))))
    parts.push(`${method} ${escapeControls(String(path))} ${code(String(status))} ${colors.dim(`${ms} ms`)}`)
  } else parts.push(Number(level) === 30 ? escapeControls(String(msg)) : colorLevel(escapeControls(String(msg))))
  if (typeof query === 'string') parts.push(escapeControls(query), colors.dim(`${ms} ms`))
  if (typeof template === 'string') parts.push(colors.dim(escapeControls(template)))
  if (typeof reason === 'string') parts.push(escapeControls(reason))
  if (data !== undefined) parts.push(escapeControls(JSON.stringify(data)))
  const trace = typeof stack === 'string' && stack !== '' ? `\n${escapeControls(stack)}` : ''
  return `${parts.join(' ')}${trace}\n`
}

/** Escapes control and bidirectional characters, so that visitors' input cannot manipulate the terminal. */
export function escapeControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0)
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })
}
