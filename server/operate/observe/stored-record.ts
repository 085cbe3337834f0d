/** Converts a recording to the record that is stored: masked, cut and rounded. */
import type { RecordedCall, RecordedLog, RecordedMessage } from '../../core/contracts/recording.ts'
import { isSecretName, MASK, Masker } from '../../core/mask.ts'
import type { HeldQuery, HeldRecording } from './recorder.ts'
import type { RecordedRequest, RedirectedRequest, StoredQuery } from './recorded-request.ts'
import { toMicroseconds } from './template-tree.ts'

/** Maximum lengths of texts. */
const SHORT = { length: 300 }
const LONG = { length: 2_000 }
const DOCUMENT = { length: 5_000 }
const MAX_SQL = 20_000
/** Maximum number of characters of all texts of statements. */
const MAX_ALL_SQL = 200_000

export interface RecordContext {
  /** The constants of the site. Each change creates a new object. */
  readonly constants: object
  readonly redirects: readonly RedirectedRequest[]
}

export function storedRecord(held: HeldRecording, { constants, redirects }: RecordContext): RecordedRequest {
  const { answer, visitor } = held
  const masker = new Masker()
  for (const value of Object.values(constants)) masker.add(value)
  for (const secret of visitor?.secrets ?? []) masker.add(secret)
  for (const cookie of cookieValues(answer.requestHeaders['cookie'])) masker.add(cookie)
  for (const cookie of cookieValues(answer.responseHeaders['set-cookie'])) masker.add(cookie)
  masker.add(credentialsOf(answer.requestHeaders['authorization']))
  masker.collect(answer.requestHeaders)
  masker.collect(visitor?.params)
  masker.collect(visitor?.session)
  for (const { variables, statements } of held.queries) {
    masker.collect(variables)
    for (const { values } of statements) masker.collect(values)
  }
  const texts = new StatementTexts(maskedTexts(constants))
  const queries = held.queries.map((query) => storedQuery(query, masker, texts))
  const error = answer.error === null ? null : masker.text(answer.error, LONG.length)
  return {
    summary: {
      id: answer.id,
      at: new Date(Date.now() - held.ms).toISOString(),
      kind: answer.kind,
      method: answer.method,
      path: masker.text(answer.url, LONG.length),
      status: answer.status,
      milliseconds: toMicroseconds(held.ms),
      database: toMicroseconds(held.database),
      statements: held.statements,
      bytes: answer.bytes,
      template: answer.template,
      format: answer.format,
      error,
      user: visitor?.user ?? null,
      job: answer.job,
      redirectTo: answer.redirectTo === null ? null : masker.text(answer.redirectTo, LONG.length),
      isUpdate: answer.isUpdate,
      queued: held.jobs.map(({ id }) => id),
      unsent: held.messages.filter(({ state }) => state === 'not sent').length,
    },
    detail: {
      host: answer.host,
      templates: held.templates,
      queries,
      sql: texts.all,
      cache: held.cache.map((each) => ({
        ...each,
        key: masker.text(each.key, SHORT.length),
        ms: toMicroseconds(each.ms),
      })),
      messages: held.messages.map((message) => storedMessage(message, masker)),
      jobs: held.jobs,
      logs: held.logs.map((log) => storedLog(log, masker)),
      outgoing: held.outgoing.map((call) => storedCall(call, masker)),
      params: masker.mask(visitor?.params ?? {}, LONG),
      session: visitor === null || visitor.session === null ? null : masker.mask(visitor.session, SHORT),
      requestHeaders: storedHeaders(answer.requestHeaders, masker),
      responseHeaders: storedHeaders(answer.responseHeaders, masker),
      redirects: redirects.map((each) => ({ ...each, path: masker.text(each.path, LONG.length) })),
      omitted: held.omitted,
    },
  }
}

function storedQuery(query: HeldQuery, masker: Masker, texts: StatementTexts): StoredQuery {
  return {
    name: query.name,
    place: query.place,
    at: toMicroseconds(query.at),
    ms: toMicroseconds(query.ms),
    rows: query.rows,
    document: query.document === null ? null : masker.text(query.document, DOCUMENT.length),
    variables: masker.mask(query.variables, SHORT),
    error: query.error === null ? null : masker.text(query.error, LONG.length),
    statements: query.statements.map((statement) => ({
      ...statement,
      sql: texts.indexOf(statement.sql),
      values: statement.values.map((value) => masker.mask(value, SHORT)),
      ms: toMicroseconds(statement.ms),
      waited: toMicroseconds(statement.waited),
      error: statement.error === null ? null : masker.text(statement.error, LONG.length),
    })),
  }
}

/** The texts of statements. Each is stored once. */
class StatementTexts {
  readonly all: string[] = []
  readonly #indexes = new Map<string, number>()
  readonly #masked: MaskedTexts
  #characters = 0

  constructor(masked: MaskedTexts) {
    this.#masked = masked
  }

  indexOf(sql: string): number {
    const known = this.#indexes.get(sql)
    if (known !== undefined) return known
    const masked = this.#masked.of(sql)
    const text = this.#characters + masked.length > MAX_ALL_SQL ? '…' : masked
    this.#characters += text.length
    const index = this.all.push(text) - 1
    this.#indexes.set(sql, index)
    return index
  }
}

/** Maximum number of texts of statements that a process remembers. */
const MAX_TEXTS = 500

/**
 * The masked texts of statements, which many requests share. A text has parameters in place of values, so a secret of a visitor cannot occur
 * in it, and a constant only by chance.
 */
class MaskedTexts {
  readonly #texts = new Map<string, string>()
  readonly #masker = new Masker()

  constructor(readonly constants: object) {
    for (const value of Object.values(constants)) this.#masker.add(value)
  }

  of(sql: string): string {
    const known = this.#texts.get(sql)
    if (known !== undefined) return known
    const text = this.#masker.text(sql, MAX_SQL)
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear()
    this.#texts.set(sql, text)
    return text
  }
}

let texts: MaskedTexts | null = null

function maskedTexts(constants: object): MaskedTexts {
  if (texts === null || texts.constants !== constants) texts = new MaskedTexts(constants)
  return texts
}

function storedMessage(message: RecordedMessage, masker: Masker): RecordedMessage {
  const { to, subject, error, reason } = message
  return {
    ...message,
    to: to === null ? null : masker.text(to, SHORT.length),
    subject: subject === null ? null : masker.text(subject, SHORT.length),
    error: error === null ? null : masker.text(error, LONG.length),
    ...(reason !== undefined && { reason: masker.text(reason, LONG.length) }),
  }
}

function storedLog(log: RecordedLog, masker: Masker): RecordedLog {
  return { ...log, type: masker.text(log.type, SHORT.length), message: masker.mask(log.message, LONG) }
}

function storedCall(call: RecordedCall, masker: Masker): RecordedCall {
  const error = call.error === null ? null : masker.text(call.error, LONG.length)
  return { ...call, url: masker.text(call.url, LONG.length), ms: toMicroseconds(call.ms), error }
}

/** Returns headers with the names of cookies, and without the values of secret headers. */
function storedHeaders(headers: Readonly<Record<string, unknown>>, masker: Masker): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (/^(?:cookie|set-cookie)$/i.test(name)) return [name, cookieNames(value)]
      return [name, isSecretName(name) ? MASK : masker.mask(value, LONG)]
    }),
  )
}

/** Returns the cookies of a header as pairs. `Set-Cookie` may be a list, in which each text has one cookie and its attributes. */
function cookiesOf(header: unknown): readonly (readonly [string, string])[] {
  const texts = Array.isArray(header)
    ? header.map((text) => String(text).split(';', 1)[0] ?? '')
    : String(header ?? '').split(';')
  return texts.flatMap((text) => {
    const sign = text.indexOf('=')
    return sign < 0 ? [] : [[text.slice(0, sign).trim(), text.slice(sign + 1).trim()] as const]
  })
}

function cookieValues(header: unknown): readonly string[] {
  return cookiesOf(header).flatMap(([, value]) => {
    // Short values such as a language are not secret, but they are not recorded under the name of the cookie either.
    if (value.length < MIN_COOKIE) return []
    return [value, decoded(value)]
  })
}

/** Returns the credentials of a header, without the scheme before them. */
function credentialsOf(header: unknown): string {
  return String(header ?? '').replace(/^\S+\s+/, '')
}

/** Minimum length of a cookie's value that is masked wherever it occurs. */
const MIN_COOKIE = 12

function cookieNames(header: unknown): string {
  return cookiesOf(header)
    .map(([name]) => `${name}=${MASK}`)
    .join('; ')
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
