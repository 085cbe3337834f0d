/**
 * Sends SQL to the database. Except for the client's own templates, all SQL is sent here, and only statements from the tags of
 * `runtime/data/sql` are accepted.
 */
import type { PendingQuery, Row, Sql, UnsafeQueryOptions } from 'postgres'
import { type Sql as SqlText, type SqlStatement, toStatement } from '../../../runtime/data/sql/sql.ts'

/** A client, or an open transaction. */
export type Client = Pick<Sql, 'unsafe' | 'typed'>

/** Options of a statement. */
interface SendOptions extends UnsafeQueryOptions {
  /** False for the extended protocol even without parameters, which allows only one statement in a text. */
  readonly simple?: boolean
}

/** Creates the query of a statement, which is sent when it is awaited. */
export function send<T extends readonly Row[] = Row[]>(
  client: Client,
  { text, values }: SqlStatement,
  options?: SendOptions,
): PendingQuery<T & Row[]> {
  // The client's types accept only some types of values, but it sends all values that statements contain.
  return client.unsafe<T & Row[]>(text, values as never[], options)
}

/** Sends SQL that is used once. Without parameters, it may consist of several statements. */
export function sendOnce<T extends readonly Row[] = Row[]>(client: Client, whole: SqlText): PendingQuery<T & Row[]> {
  return send<T>(client, toStatement(whole))
}

/**
 * The type number of `text`. Statements cast their parameters themselves, so that the client does not convert times and
 * JSON.
 */
const TEXT_TYPE = 25

/** Sends a statement with all values as texts. */
export function sendTexts(client: Client, { text, values }: SqlStatement, options?: SendOptions): PendingQuery<Row[]> {
  return client.unsafe(
    text,
    values.map((value) => client.typed(toText(value), TEXT_TYPE)),
    options,
  )
}

/**
 * Calls a function when the client gives a query to a connection. Until then, the query waits for a free one. The client sets the property
 * `active` of a query at that moment, and offers no event.
 */
export function onConnection(query: PromiseLike<unknown>, callback: () => void): void {
  let active: unknown = false
  Object.defineProperty(query, 'active', {
    configurable: true,
    get: () => active,
    set(value: unknown) {
      active = value
      if (value === true) callback()
    },
  })
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
