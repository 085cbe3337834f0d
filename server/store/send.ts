/** Hands SQL to the client: the one place that does, beside the client's own templates. What is sent is a statement, and no plain string is one. */
import type { PendingQuery, Row, Sql, UnsafeQueryOptions } from 'postgres'
import { type Sql as SqlText, type SqlStatement, toStatement } from '../../runtime/data/sql/sql.ts'

/** A client, or the connection of an open transaction. */
export type Client = Pick<Sql, 'unsafe' | 'typed'>

/** How a statement is sent. */
export interface Sending extends UnsafeQueryOptions {
  /** One statement, never several in one text, also without parameters. */
  readonly simple?: boolean
}

/** Sends a statement when somebody waits for it. */
export function send<T extends readonly Row[] = Row[]>(
  client: Client,
  { text, values }: SqlStatement,
  how?: Sending,
): PendingQuery<T & Row[]> {
  return client.unsafe<T & Row[]>(text, values as never[], how)
}

/** Sends SQL that is written where it is sent. Several statements may stand in one text that has no parameters. */
export function sendOnce<T extends readonly Row[] = Row[]>(client: Client, whole: SqlText): PendingQuery<T & Row[]> {
  return send<T>(client, toStatement(whole))
}

/** Sends a statement whose rows are read by `cursor`, some at a time, so that they are never all in memory. */
export function sendForCursor<T extends readonly Row[] = Row[]>(
  client: Client,
  statement: SqlStatement,
): PendingQuery<T & Row[]> {
  // Without parameters the client would choose the simple protocol, which knows no cursors and brings all rows at once.
  return send<T>(client, statement, { simple: false })
}

/** Type of PostgreSQL: statements cast their parameters themselves, and the client must not have its own idea of times or JSON. */
const TEXT = 25

/** The same with all values as texts. */
export function sendTexts(client: Client, { text, values }: SqlStatement, how?: Sending): PendingQuery<Row[]> {
  return client.unsafe(
    text,
    values.map((value) => client.typed(textOf(value), TEXT)),
    how,
  )
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
