/** Run-time support for the platform's tags, except printing. */
import { ArgumentFault, SyntaxFault } from './fault.ts'
import { normalizeHeader } from './headers.ts'
import type { Render } from './render.ts'
import type { Fields, JobOptions, SessionPort } from './services.ts'
import type { Scope } from './site.ts'
import { MAX_ATTEMPTS, findPriority } from './tag-keywords.ts'
import { fields } from './values/access.ts'
import { BoxedText } from './values/boxed.ts'
import { CaughtError } from './values/caught-error.ts'
import { entries, isHash, makeHash, mergeHashes, setKey } from './values/hash.ts'
import { isNumber, toNumeral, toInteger, toNumber } from './values/number.ts'
import { parseJson } from './values/json.ts'
import { str } from './values/text.ts'
import { isBlank } from './values/truth.ts'
import { parse_json } from './filters/data/parse_json.ts'

/**
 * Throws for an expression that has no value: an unknown operator, or a wrong number of arguments. The declared
 * result type keeps TypeScript from treating the code after it as unreachable.
 * @throws ArgumentFault
 */
export function refuse(message: string): unknown {
  throw new ArgumentFault(message)
}

/** Throws for a template that base Liquid rejects as invalid. @throws SyntaxFault */
export function refuseSyntax(message: string): unknown {
  throw new SyntaxFault(message)
}

/** Converts an argument whose parameter has a default. An explicit nil is also a value. */
export function given<Value>(value: Value): NonNullable<Value> | null {
  return value ?? null
}

/** Returns a bare key of a hash literal: the variable's value when it is set, or else the word. */
export function bareKey(value: unknown, word: string): string {
  return value === null || value === undefined ? word : str(value)
}

/** Creates a hash from pairs. It keeps their order, even for keys that look like numbers. */
export function hashOf(pairs: readonly (readonly [string, unknown])[]): Scope {
  return makeHash(pairs)
}

/** `export`: makes values available as `context.exports.<namespace>.<name>`. */
export function exportTo(r: Render, namespace: unknown, values: Scope): void {
  r.context['exports'] ??= {}
  const exports = fields(r.context['exports'])
  if (namespace === null || isBlank(namespace)) {
    for (const name of Object.keys(values)) setKey(exports, name, values[name])
    return
  }
  const key = str(namespace)
  const oldValue = Object.hasOwn(exports, key) ? exports[key] : null
  const target = isHash(oldValue) ? oldValue : {}
  for (const name of Object.keys(values)) setKey(target, name, values[name])
  setKey(exports, key, target)
}

/** `content_for`: appends to a stored block, or replaces it. */
export function storeBlock(r: Render, name: unknown, text: string, replace: boolean): void {
  const key = str(name)
  r.blocks.set(key, replace ? text : (r.blocks.get(key) ?? '') + text)
}

/** `yield`: prints a stored block, or else the default. */
export function storedBlock(r: Render, name: unknown, otherwise: unknown): string {
  const text = r.blocks.get(str(name))
  return text === undefined || isBlank(text) ? (isBlank(otherwise) ? (text ?? '') : str(otherwise)) : text
}

/**
 * The body of `parse_json`: decodes entities and parses JSON. A blank body gives nil.
 * @throws ArgumentFault
 */
export function parseJsonBody(text: string): unknown {
  return parse_json(text)
}

/** `log`. Hashes and arrays are passed as values; the host writes them as JSON. */
export function log(r: Render, message: unknown, type: unknown, env: unknown, file: string, line: number): void {
  const place = env === null || env === undefined ? 'all' : str(env)
  r.services.log.write({
    message,
    type: type === null || type === undefined ? 'info' : str(type),
    env: place === 'staging' || place === 'production' ? place : 'all',
    file,
    line,
  })
}

/** The error that `catch` binds: its located message and class; it prints as the message. */
export function caught(r: Render, error: unknown, file: string, line: number): CaughtError {
  const fault = r.caught(error, file, line)
  return new CaughtError(fault.located, fault.name)
}

/**
 * `cache`: the cached fragment of a key, or else the body's output. Nothing is cached for a blank key, or when an error
 * was printed.
 * @throws ArgumentFault for a time that is not a number or is negative
 */
export async function cached(r: Render, key: unknown, expire: unknown, body: () => Promise<string>): Promise<string> {
  if (isBlank(key)) return body()
  const seconds = expire === null || expire === undefined ? 0 : durationOption(expire, 'cache tag - expire')
  return r.port('cache', 'cache').fragment(str(key), seconds > 0 ? seconds : null, async () => {
    r.resume()
    const faultCountBefore = r.faultCount
    const text = await body()
    return { text, keep: r.faultCount === faultCountBefore }
  })
}

/** `context language:`. */
export function setLanguage(r: Render, language: unknown): void {
  if (!isBlank(language)) r.context['language'] = str(language)
}

/**
 * `redirect_to`.
 * @throws ArgumentFault for a blank target, and for a status that is not a redirect
 */
export function redirectTo(r: Render, target: unknown, status: unknown): void {
  const code = status === null || status === undefined ? 302 : toInteger(status)
  if (code < 300 || code > 399)
    throw new ArgumentFault(`redirect_to tag - status must be between 300 and 399, not ${code}`)
  // A redirect without a target would show an empty page.
  if (isBlank(target)) throw new ArgumentFault('redirect_to tag - the target is blank')
  r.response.redirect = { target: str(target).trim(), status: code }
}

/**
 * `response_status`.
 * @throws ArgumentFault for an invalid status; those below 200 are only interim responses (RFC 9110, 15.2)
 */
export function responseStatus(r: Render, status: unknown): void {
  const code = toInteger(status)
  if (code < 200 || code > 599)
    throw new ArgumentFault(`response_status tag - status must be between 200 and 599, not ${code}`)
  r.response.status = code
}

/**
 * Merges headers from a JSON text or a hash into those already set. They are sent with the page; invalid ones are
 * reported here, at the tag.
 * @throws ArgumentFault
 */
export function responseHeaders(r: Render, headers: unknown): void {
  const value = isHash(headers) ? headers : parseJson(str(headers))
  if (!isHash(value)) throw new ArgumentFault('response_headers tag - expected a JSON object')
  const headersOfTag = entries(value).map(([name, content]) => normalizeHeader(name, str(content)))
  for (const [name, content] of headersOfTag) setKey(r.response.headers, name, content)
}

/**
 * The variables of an operation: a hash or a JSON text, overridden by named arguments.
 * @throws ArgumentFault
 */
export function operationArguments(givenValue: unknown, named: Scope): Fields {
  if (givenValue === null || givenValue === undefined) return named
  const value = isHash(givenValue) ? givenValue : parseJson(str(givenValue))
  if (!isHash(value)) throw new ArgumentFault('graphql tag - args must be a hash')
  return mergeHashes(value, named)
}

/**
 * Options of a job: an unknown priority becomes `default`, attempts are limited to 1 to 5; both are logged.
 * @throws ArgumentFault for a delay that is not a number or is negative
 */
export function jobOptions(
  r: Render,
  delay: unknown,
  priority: unknown,
  attempts: unknown,
  source: unknown,
  unit: string,
  file: string,
  line: number,
): JobOptions {
  const warn = (message: string): void => log(r, message, 'warning', null, file, line)
  const requestedPriority = isBlank(priority) ? 'default' : str(priority)
  const knownPriority = findPriority(requestedPriority)
  if (knownPriority === undefined)
    warn(`background: unknown priority '${requestedPriority.slice(0, 40)}' is treated as 'default'`)
  const requested = isBlank(attempts) ? 1 : numberOption(attempts, 'background tag - max_attempts')
  const tries = Math.trunc(requested)
  const maxAttempts = Math.min(MAX_ATTEMPTS, Math.max(1, tries))
  if (maxAttempts !== tries)
    warn(`background: max_attempts must be from 1 to ${MAX_ATTEMPTS}; ${tries} is treated as ${maxAttempts}`)
  return {
    delay: isBlank(delay) ? 0 : durationOption(delay, 'background tag - delay'),
    priority: knownPriority ?? 'default',
    maxAttempts,
    sourceName: isBlank(source) ? unit : str(source),
  }
}

/**
 * `sign_in`.
 * @throws ArgumentFault without a user
 */
export async function signIn(sessions: SessionPort, user: unknown, timeout: unknown): Promise<void> {
  if (isBlank(user)) throw new ArgumentFault('sign_in tag - user_id is blank')
  await sessions.signIn(str(user), timeout === null || timeout === undefined ? null : toNumber(toNumeral(timeout)))
}

/**
 * `transaction`: runs the body in a transaction. Output before a `rollback` is kept. An error rolls the transaction
 * back even when errors are printed in place; it is then printed after the block.
 * @throws ArgumentFault for an invalid timeout, and what the body throws
 */
export async function transacted(r: Render, timeout: unknown, body: () => Promise<void>): Promise<void> {
  const seconds = timeout === null || timeout === undefined ? null : numberOption(timeout, 'transaction tag - timeout')
  if (seconds !== null && seconds <= 0)
    throw new ArgumentFault(`transaction tag - timeout must be more than 0 seconds, not ${seconds}`)
  const { depth, isolation, trying } = r
  try {
    r.trying = trying + 1
    await r.port('transactions', 'transaction').run({ timeout: seconds }, () => {
      r.resume()
      return body()
    })
    r.resume()
  } finally {
    // Nested calls of the body ended abruptly, so their counters are restored.
    Object.assign(r, { depth, isolation, trying })
  }
}

/**
 * Returns the number in an option, which may be text.
 * @throws ArgumentFault for other values
 */
function numberOption(value: unknown, optionName: string): number {
  const text = typeof value === 'string' || value instanceof BoxedText ? str(value).trim() : null
  const givenNumber = isNumber(value) ? toNumber(value) : text === null || text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(givenNumber)) return givenNumber
  throw new ArgumentFault(`${optionName} must be a number, not '${str(value).slice(0, 40)}'`)
}

/**
 * Returns a duration in an option.
 * @throws ArgumentFault for values that are not a number or are negative
 */
function durationOption(value: unknown, optionName: string): number {
  const givenDuration = numberOption(value, optionName)
  if (givenDuration >= 0) return givenDuration
  throw new ArgumentFault(`${optionName} must be 0 or more, not '${str(value).slice(0, 40)}'`)
}
