/** Run-time support for the platform's tags, except for printing. */
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
 * Throws for an expression that has no value: for example, its operator is unknown, or the number of arguments is wrong. The declared
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

/** Returns the value of a bare key in a hash literal: the value of the variable with this name if it is set, otherwise the name. */
export function bareKey(value: unknown, word: string): string {
  return value === null || value === undefined ? word : str(value)
}

/** Creates a hash from pairs. Keys keep their order, even when they look like numbers. */
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

/** `yield`: returns a stored block, or otherwise the default. */
export function storedBlock(r: Render, name: unknown, otherwise: unknown): string {
  const text = r.blocks.get(str(name))
  return text === undefined || isBlank(text) ? (isBlank(otherwise) ? (text ?? '') : str(otherwise)) : text
}

/**
 * Reads the body of `parse_json`: decodes entities, and parses the JSON. A blank body gives nil.
 * @throws ArgumentFault
 */
export function parseJsonBody(text: string): unknown {
  return parse_json(text)
}

/** `log`: writes to the log. Hashes and arrays are passed as values, and the host writes them as JSON. */
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

/** Creates the error that `catch` binds. It has the message with its location, and the class. It prints as the message. */
export function caught(r: Render, error: unknown, file: string, line: number): CaughtError {
  const fault = r.caught(error, file, line)
  return new CaughtError(fault.located, fault.name)
}

/**
 * `cache`: returns the cached fragment of a key, or otherwise the output of the body. Nothing is cached for a blank key, or when an error
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

/** `context language:`: sets the language of the page. */
export function setLanguage(r: Render, language: unknown): void {
  if (!isBlank(language)) r.context['language'] = str(language)
}

/**
 * `redirect_to`: redirects the visitor.
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
 * `response_status`: sets the status.
 * @throws ArgumentFault for an invalid status, and for a status below 200, which is only for interim responses (RFC 9110, 15.2)
 */
export function responseStatus(r: Render, status: unknown): void {
  const code = toInteger(status)
  if (code < 200 || code > 599)
    throw new ArgumentFault(`response_status tag - status must be between 200 and 599, not ${code}`)
  r.response.status = code
}

/**
 * Adds headers, given as JSON text or as a hash, to the headers that are already set. They are sent with the page, but an invalid header is
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
 * Returns the variables of an operation. They come from a hash or a JSON text. Named arguments override them.
 * @throws ArgumentFault
 */
export function operationArguments(givenValue: unknown, named: Scope): Fields {
  if (givenValue === null || givenValue === undefined) return named
  const value = isHash(givenValue) ? givenValue : parseJson(str(givenValue))
  if (!isHash(value)) throw new ArgumentFault('graphql tag - args must be a hash')
  return mergeHashes(value, named)
}

/**
 * Returns the options of a job. An unknown priority becomes `default`, and the number of attempts is limited to 1 to 5. Both changes are
 * logged.
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
 * `sign_in`: signs a user in.
 * @throws ArgumentFault when the user is missing
 */
export async function signIn(sessions: SessionPort, user: unknown, timeout: unknown): Promise<void> {
  if (isBlank(user)) throw new ArgumentFault('sign_in tag - user_id is blank')
  await sessions.signIn(str(user), timeout === null || timeout === undefined ? null : toNumber(toNumeral(timeout)))
}

/**
 * `transaction`: runs the body in a transaction. Output before a `rollback` is kept. An error rolls the transaction back even when errors
 * are printed in place. The error is then printed after the block.
 * @throws ArgumentFault for an invalid timeout, and all errors of the body
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
    // The body ended abruptly inside nested calls, so the counters of nested calls are restored.
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
