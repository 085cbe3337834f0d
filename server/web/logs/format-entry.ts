/**
 * Formats stored log entries for `ingot logs`. The line format of the server's own log is in `core/services/log.ts`.
 */
import { outputColors } from '../../core/services/colors.ts'
import { escapeControls } from '../../core/services/log.ts'
import type { StoredEntry } from './model.ts'

const { bold, cyan, dim, red, yellow } = outputColors

/** Formats an entry as a few lines: time, type, message and origin. */
export function formatEntry(entry: StoredEntry): string {
  const { createdAt, type, message, data } = entry
  const time = createdAt.toISOString().replace('T', ' ')
  const color = /error/i.test(type) ? red : /warn|deprec/i.test(type) ? yellow : cyan
  // Continuation lines are indented to distinguish them from the next entry.
  const text = escapeControls(message.replaceAll('\r\n', '\n')).replaceAll('\n', '\n    ')
  const lines = [`${dim(time)} ${color(bold(oneLine(type)))} ${text}`]
  const origin = formatOrigin(data)
  if (origin !== '') lines.push(dim(`    ${origin}`))
  for (const location of formatStack(data)) lines.push(dim(`    at ${location}`))
  return `${lines.join('\n')}\n`
}

/** Formats an entry as one line of JSON. */
export function formatJson({ id, createdAt, type, message, data }: StoredEntry): string {
  return `${JSON.stringify({ id: Number(id), created_at: createdAt.toISOString(), type, message, data })}\n`
}

type LogData = StoredEntry['data']

function formatOrigin(data: LogData): string {
  const context = asObject(data['context']) ?? data
  const { partial, line, page } = data
  const user = asObject(context['user'])
  const fields = [
    typeof partial === 'string' ? `${partial}${typeof line === 'number' ? `:${line}` : ''}` : null,
    typeof context['url'] === 'string' ? context['url'] : null,
    typeof page === 'string' ? `page ${page === '' ? '/' : page}` : null,
    user === null ? null : `user ${[user['id'], user['email']].filter((part) => typeof part === 'string').join(' ')}`,
    typeof context['job'] === 'string' ? `job ${context['job']}` : null,
  ]
  return fields.flatMap((part) => (part === null ? [] : [oneLine(part)])).join('  ')
}

/** Returns the stack without its first location, which is already in the header. */
function formatStack({ stack }: LogData): readonly string[] {
  if (!Array.isArray(stack)) return []
  return stack.slice(1).flatMap((location) => {
    const { path, line } = asObject(location) ?? {}
    return typeof path === 'string' ? [oneLine(`${path}:${String(line)}`)] : []
  })
}

function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' '))
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return isObject(value) ? value : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
