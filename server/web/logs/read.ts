/** Reads entries of the log. */
import type { RE2JS } from 're2js'
import type { ISql } from 'postgres'
import type { KeptEntry } from './model.ts'

/** Selects entries. */
export interface LogFilter {
  readonly type: string | null
  /** Searched in the message and the data. */
  readonly grep: RE2JS | null
  readonly since: Date | null
}

interface SelectedLogRow {
  readonly id: string
  readonly createdAt: Date | string
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Rows fetched at once. */
const PAGE = 1_000

/** Entries for who has seen none. */
const LATEST = 100

/**
 * The last `limit` entries that match a filter, oldest first.
 * @throws the database client's errors
 */
export async function lastEntries(sql: ISql, filter: LogFilter, limit: number): Promise<readonly KeptEntry[]> {
  const entries: KeptEntry[] = []
  const page = filter.grep === null ? Math.min(limit, PAGE) : PAGE
  for (let before: string | null = null; entries.length < limit; ) {
    const rows: readonly SelectedLogRow[] = await sql<SelectedLogRow[]>`
      select id::text as id, created_at as "createdAt", type, message, data from ingot.logs
      where (${before}::bigint is null or id < ${before}::bigint)
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.since}::timestamptz is null or created_at >= ${filter.since})
      order by logs.id desc limit ${page}`
    for (const row of rows) {
      const entry = entryOf(row)
      if (entries.length < limit && matches(entry, filter)) entries.push(entry)
    }
    if (rows.length < page) break
    before = rows.at(-1)?.id ?? null
  }
  return entries.reverse()
}

/**
 * Entries with ids above `id`, or among `ids`; ascending.
 * @throws the database client's errors
 */
export async function entriesAfter(sql: ISql, id: string, ids: readonly string[]): Promise<readonly KeptEntry[]> {
  const list = `{${ids.join(',')}}`
  const rows = await sql<SelectedLogRow[]>`
    select id::text as id, created_at as "createdAt", type, message, data from ingot.logs
    where id > ${id}::bigint or id = any (${list}::bigint[])
    order by logs.id limit ${PAGE}`
  return rows.map(entryOf)
}

/** Seconds in which an entry may still appear whose id is lower than that of one which is there. */
const MAX_DELAY = 5

/**
 * The entries after `id`, ascending, as far as none can appear between them later: who asks knows the last id that it got, and would
 * never see one below it. After 0 these are the latest.
 * @throws the database client's errors
 */
export async function nextEntries(sql: ISql, id: string): Promise<readonly KeptEntry[]> {
  const entries =
    id === '0'
      ? await lastEntries(sql, { type: null, grep: null, since: null }, LATEST)
      : await entriesAfter(sql, id, [])
  const settled = Date.now() - MAX_DELAY * 1000
  let expected = id === '0' ? BigInt(entries[0]?.id ?? 0) : BigInt(id) + 1n
  const end = entries.findIndex((entry) => {
    const mayBeFilled = BigInt(entry.id) > expected && entry.createdAt.getTime() > settled
    expected = BigInt(entry.id) + 1n
    return mayBeFilled
  })
  return end < 0 ? entries : entries.slice(0, end)
}

/**
 * The ids of the newest entries, ascending.
 * @throws the database client's errors
 */
export async function newestIds(sql: ISql, count: number): Promise<readonly bigint[]> {
  const rows = await sql<{ id: string }[]>`select id::text as id from ingot.logs order by logs.id desc limit ${count}`
  return rows.map(({ id }) => BigInt(id)).reverse()
}

export function matches(entry: KeptEntry, { type, grep, since }: LogFilter): boolean {
  if (type !== null && entry.type !== type) return false
  if (since !== null && entry.createdAt < since) return false
  return grep === null || grep.matcher(entry.message).find() || grep.matcher(JSON.stringify(entry.data)).find()
}

function entryOf({ createdAt, ...row }: SelectedLogRow): KeptEntry {
  return { ...row, createdAt: new Date(createdAt) }
}
