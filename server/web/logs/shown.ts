/** Formats log entries for a terminal. */
import picocolors from 'picocolors'
import { escapeControls } from '../../core/services/log.ts'
import type { KeptEntry } from './model.ts'

const { bold, cyan, dim, red, yellow } = picocolors

/** An entry as a few lines: time, type, message, origin. */
export function shown(entry: KeptEntry): string {
  const { createdAt, type, message, data } = entry
  const time = createdAt.toISOString().replace('T', ' ')
  const paint = /error/i.test(type) ? red : /warn|deprec/i.test(type) ? yellow : cyan
  // Continuation lines are indented to separate them from the next entry.
  const text = escapeControls(message.replaceAll('\r\n', '\n')).replaceAll('\n', '\n    ')
  const lines = [`${dim(time)} ${paint(bold(oneLine(type)))} ${text}`]
  const where = originOf(data)
  if (where !== '') lines.push(dim(`    ${where}`))
  for (const location of stackOf(data)) lines.push(dim(`    at ${location}`))
  return `${lines.join('\n')}\n`
}

/** An entry as one line of JSON. */
export function asJson({ id, createdAt, type, message, data }: KeptEntry): string {
  return `${JSON.stringify({ id: Number(id), created_at: createdAt.toISOString(), type, message, data })}\n`
}

type LogData = KeptEntry['data']

function originOf(data: LogData): string {
  const context = recordOf(data['context']) ?? data
  const { partial, line, page } = data
  const user = recordOf(context['user'])
  const parts = [
    typeof partial === 'string' ? `${partial}${typeof line === 'number' ? `:${line}` : ''}` : null,
    typeof context['url'] === 'string' ? context['url'] : null,
    typeof page === 'string' ? `page ${page === '' ? '/' : page}` : null,
    user === null ? null : `user ${[user['id'], user['email']].filter((part) => typeof part === 'string').join(' ')}`,
    typeof context['job'] === 'string' ? `job ${context['job']}` : null,
  ]
  return parts.flatMap((part) => (part === null ? [] : [oneLine(part)])).join('  ')
}

/** The first location is already part of the header. */
function stackOf({ stack }: LogData): readonly string[] {
  if (!Array.isArray(stack)) return []
  return stack.slice(1).flatMap((location) => {
    const { path, line } = recordOf(location) ?? {}
    return typeof path === 'string' ? [oneLine(`${path}:${String(line)}`)] : []
  })
}

function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' '))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}
