/** Logs: JSON lines for machines (pino), or a short readable line in development; and the `log` tag's port. */
import type { Writable } from 'node:stream'
import picocolors from 'picocolors'
import pino from 'pino'
import type { LogPort } from '../../runtime/services.ts'
import type { Environment } from '../settings.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
export type Logger = pino.Logger

/**
 * The process's logger. JSON lines are buffered and written at least once a second.
 * @param pretty one readable line an entry instead of JSON
 */
export function createLogger(level: LogLevel, pretty: boolean, out: Writable = process.stdout): Logger {
  const options: pino.LoggerOptions = { level, base: { pid: process.pid } }
  if (pretty) return pino(options, { write: (line) => void out.write(prettyLine(line)) })
  if (out !== process.stdout) return pino(options, out)
  return pino(options, pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 }))
}

/** What the `log` tag writes to: entries of another environment are left out, a type `error…` is an error. */
export function logPort(logger: Logger, environment: Environment): LogPort {
  return {
    write(entry) {
      if (entry.env !== 'all' && entry.env !== environment) return
      const { message } = entry
      const fields = { template: `${entry.file}:${entry.line}`, type: entry.type }
      const level = /error/i.test(entry.type) ? 'error' : /warn|deprec/i.test(entry.type) ? 'warn' : 'info'
      if (typeof message === 'string') logger[level](fields, message)
      else logger[level]({ ...fields, data: message }, 'log')
    },
  }
}

const LEVELS: Readonly<Record<number, (text: string) => string>> = {
  60: picocolors.red,
  50: picocolors.red,
  40: picocolors.yellow,
  30: picocolors.dim,
}

function prettyLine(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>
  const { level, time, msg, method, path, status, ms, template, stack, data } = entry
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const paint = LEVELS[Number(level)] ?? picocolors.dim
  const parts = [picocolors.dim(clock)]
  if (typeof status === 'number') {
    const code = status >= 500 ? picocolors.red : status >= 400 ? picocolors.yellow : picocolors.green
    parts.push(`${method} ${visible(String(path))} ${code(String(status))} ${picocolors.dim(`${ms} ms`)}`)
  } else parts.push(Number(level) === 30 ? visible(String(msg)) : paint(visible(String(msg))))
  if (typeof template === 'string') parts.push(picocolors.dim(visible(template)))
  if (data !== undefined) parts.push(visible(JSON.stringify(data)))
  const trace = typeof stack === 'string' && stack !== '' ? `\n${visible(stack)}` : ''
  return `${parts.join(' ')}${trace}\n`
}

// What visitors send must not steer the terminal.
function visible(text: string): string {
  return text.replace(
    /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
