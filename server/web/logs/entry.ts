/** Converts a log entry to its stored form: texts of limited length with their origin. */
import type { LogEntry } from '../../../runtime/page/services.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { str } from '../../../runtime/page/values/text.ts'
import { failureOf, type LogOrigin, type SiteFailure } from '../../core/contracts/log.ts'
import type { LogRow } from './model.ts'

/** Longest message, type and other text in characters; most locations in a stack. */
const MAX_MESSAGE = 100_000
const MAX_TYPE = 200
const MAX_TEXT = 2_000
const MAX_STACK = 50

/** An entry of the `log` tag, or a fault that was printed in place. */
export function rowOf(entry: LogEntry, origin: LogOrigin): LogRow {
  const { fault } = entry
  if (fault !== undefined) return failureRow(failureOf(fault), origin)
  // Entries of GraphQL come from no template.
  const where = entry.file === '' ? {} : { partial: bounded(entry.file, MAX_TEXT), line: entry.line }
  const data = { ...given(origin), ...where }
  const type = bounded(entry.type.trim(), MAX_TYPE)
  return row(type === '' ? 'info' : type, textOf(entry.message), data)
}

/** A failure, as a diagnostic that programs can read. */
export function failureRow({ type, message, stack }: SiteFailure, origin: LogOrigin): LogRow {
  const locations = stack.slice(0, MAX_STACK).map(({ path, line }) => ({ path: bounded(path, MAX_TEXT), line }))
  const text = bounded(message, MAX_MESSAGE)
  const [place] = locations
  // The stack tells the place, and clients show it before the sentence.
  const located = place === undefined ? '' : `Liquid error (${place.path}:${place.line}): `
  const sentence = text.startsWith(located) ? text.slice(located.length) : text
  const { page, ...context } = given(origin)
  const data = {
    schema_version: 1,
    type: bounded(type, MAX_TYPE),
    message: bounded(sentence, MAX_TEXT),
    // A text, to clients: how the place is written. The server has no templates at hand.
    source_span: null,
    stack: locations,
    context,
    ...(page !== undefined && { page }),
    ...(place !== undefined && { partial: place.path, line: place.line }),
  }
  return row('error', text, data)
}

function row(type: string, message: string, data: object): LogRow {
  return { at: new Date(), type, message, data: JSON.stringify(data) }
}

/** The known fields of a location. */
function given({ url, page, user, job }: LogOrigin): Readonly<Record<string, unknown>> {
  return {
    ...(url !== null && { url: bounded(url, MAX_TEXT) }),
    ...(page !== null && { page: bounded(page, MAX_TEXT) }),
    ...(user !== null && { user }),
    ...(job !== null && { job }),
  }
}

/** Texts are kept, hashes and lists become JSON; nil and false are printed. */
function textOf(message: unknown): string {
  if (message === null || message === undefined) return 'null'
  if (!isHash(message) && !Array.isArray(message)) return bounded(str(message), MAX_MESSAGE)
  try {
    return bounded(toJson(message), MAX_MESSAGE)
  } catch (error) {
    // A circular value must not make logging fail.
    return `a value that cannot be shown (${error instanceof Error ? error.message : String(error)})`
  }
}

/** Removes what the database cannot store, and truncates. */
function bounded(text: string, longest: number): string {
  const plain = text.slice(0, longest).replaceAll('\0', '\ufffd').toWellFormed()
  return text.length <= longest ? plain : `${plain}…`
}
