/** Converts log entries and failures to rows of the table `ingot.logs`. Texts have a limited length. */
import type { LogEntry } from '../../../runtime/page/services.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { str } from '../../../runtime/page/values/text.ts'
import { toSiteFailure, type LogOrigin, type SiteFailure } from '../../core/contracts/log.ts'
import type { LogRow } from './model.ts'

/** Maximum length in characters of a message, a type and other texts, and maximum number of locations in a stack. */
const MAX_MESSAGE = 100_000
const MAX_TYPE = 200
const MAX_TEXT = 2_000
const MAX_STACK = 50

/** Converts an entry of the `log` tag, or a fault that was printed in the page. */
export function entryRow(entry: LogEntry, origin: LogOrigin): LogRow {
  const { fault } = entry
  if (fault !== undefined) return failureRow(toSiteFailure(fault), origin)
  // Entries of GraphQL do not come from a template.
  const where = entry.file === '' ? {} : { partial: truncate(entry.file, MAX_TEXT), line: entry.line }
  const data = { ...originFields(origin), ...where }
  const type = truncate(entry.type.trim(), MAX_TYPE)
  return createRow(type === '' ? 'info' : type, messageText(entry.message), data)
}

/** Converts a failure to a row with a diagnostic that programs can read. */
export function failureRow({ type, message, stack }: SiteFailure, origin: LogOrigin): LogRow {
  const locations = stack.slice(0, MAX_STACK).map(({ path, line }) => ({ path: truncate(path, MAX_TEXT), line }))
  const text = truncate(message, MAX_MESSAGE)
  const [place] = locations
  // The stack contains the location, and clients show it before the message.
  const prefix = place === undefined ? '' : `Liquid error (${place.path}:${place.line}): `
  const plainMessage = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const { page, ...context } = originFields(origin)
  const data = {
    schema_version: 1,
    type: truncate(type, MAX_TYPE),
    message: truncate(plainMessage, MAX_TEXT),
    // For clients, this is the source text at the location. The server does not have the templates.
    source_span: null,
    stack: locations,
    context,
    ...(page !== undefined && { page }),
    ...(place !== undefined && { partial: place.path, line: place.line }),
  }
  return createRow('error', text, data)
}

function createRow(type: string, message: string, data: object): LogRow {
  return { at: new Date(), type, message, data: JSON.stringify(data) }
}

/** Returns the known fields of an origin. */
function originFields({ url, page, user, job }: LogOrigin): Readonly<Record<string, unknown>> {
  return {
    ...(url !== null && { url: truncate(url, MAX_TEXT) }),
    ...(page !== null && { page: truncate(page, MAX_TEXT) }),
    ...(user !== null && { user }),
    ...(job !== null && { job }),
  }
}

/** Converts a logged value to text: texts stay unchanged, hashes and arrays become JSON, nil and false are printed. */
function messageText(message: unknown): string {
  if (message === null || message === undefined) return 'null'
  if (!isHash(message) && !Array.isArray(message)) return truncate(str(message), MAX_MESSAGE)
  try {
    return truncate(toJson(message), MAX_MESSAGE)
  } catch (error) {
    // A circular value must not make logging fail.
    return `a value that cannot be shown (${error instanceof Error ? error.message : String(error)})`
  }
}

/** Truncates a text and replaces characters that the database cannot store. */
function truncate(text: string, maxLength: number): string {
  const truncated = text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed()
  return text.length <= maxLength ? truncated : `${truncated}…`
}
