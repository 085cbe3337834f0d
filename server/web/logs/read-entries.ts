/** Reads entries of the stored log. */
import type { RE2JS } from 're2js'
import type { ISql } from 'postgres'
import type { StoredEntry } from './model.ts'

/** Selects entries. */
export interface LogFilter {
  readonly type: string | null
  /** Matched against the message and the data. */
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

/** Number of rows fetched at once. */
const PAGE_SIZE = 1_000

/** Number of entries that a new client gets. */
const INITIAL_ENTRIES = 100

/**
 * Returns the last `limit` entries that match a filter, oldest first.
 * @throws the database client's errors
 */
export async function lastEntries(sql: ISql, filter: LogFilter, limit: number): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = []
  const page = filter.grep === null ? Math.min(limit, PAGE_SIZE) : PAGE_SIZE
  for (let beforeId: string | null = null; entries.length < limit; ) {
    const rows: readonly SelectedLogRow[] = await sql<SelectedLogRow[]>`
      select id::text as id, created_at as "createdAt", type, message, data from ingot.logs
      where (${beforeId}::bigint is null or id < ${beforeId}::bigint)
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.since}::timestamptz is null or created_at >= ${filter.since})
      order by logs.id desc limit ${page}`
    for (const row of rows) {
      const entry = toEntry(row)
      if (entries.length < limit && matchesFilter(entry, filter)) entries.push(entry)
    }
    if (rows.length < page) break
    beforeId = rows.at(-1)?.id ?? null
  }
  return entries.reverse()
}

/**
 * Returns the entries with ids above `id` or in `ids`, in ascending order.
 * @throws the database client's errors
 */
export async function entriesAfter(sql: ISql, id: string, ids: readonly string[]): Promise<readonly StoredEntry[]> {
  const list = `{${ids.join(',')}}`
  const rows = await sql<SelectedLogRow[]>`
    select id::text as id, created_at as "createdAt", type, message, data from ingot.logs
    where id > ${id}::bigint or id = any (${list}::bigint[])
    order by logs.id limit ${PAGE_SIZE}`
  return rows.map(toEntry)
}

/** Seconds for which an entry may still appear with a lower id than an existing entry. */
const MAX_DELAY = 5

/**
 * Returns the entries after `id` in ascending order, up to the first gap that may still be filled. A client only knows
 * the last id that it received, so it would never see an entry below that id. After id 0, returns the latest entries.
 * @throws the database client's errors
 */
export async function nextEntries(sql: ISql, id: string): Promise<readonly StoredEntry[]> {
  const entries =
    id === '0'
      ? await lastEntries(sql, { type: null, grep: null, since: null }, INITIAL_ENTRIES)
      : await entriesAfter(sql, id, [])
  const settledBefore = Date.now() - MAX_DELAY * 1000
  let expected = id === '0' ? BigInt(entries[0]?.id ?? 0) : BigInt(id) + 1n
  const end = entries.findIndex((entry) => {
    const mayBeFilled = BigInt(entry.id) > expected && entry.createdAt.getTime() > settledBefore
    expected = BigInt(entry.id) + 1n
    return mayBeFilled
  })
  return end < 0 ? entries : entries.slice(0, end)
}

/**
 * Returns the ids of the newest entries in ascending order.
 * @throws the database client's errors
 */
export async function newestIds(sql: ISql, count: number): Promise<readonly bigint[]> {
  const rows = await sql<{ id: string }[]>`select id::text as id from ingot.logs order by logs.id desc limit ${count}`
  return rows.map(({ id }) => BigInt(id)).reverse()
}

/** Returns whether an entry matches a filter. */
export function matchesFilter(entry: StoredEntry, { type, grep, since }: LogFilter): boolean {
  if (type !== null && entry.type !== type) return false
  if (since !== null && entry.createdAt < since) return false
  return grep === null || grep.matcher(entry.message).find() || grep.matcher(JSON.stringify(entry.data)).find()
}

function toEntry({ createdAt, ...row }: SelectedLogRow): StoredEntry {
  return { ...row, createdAt: new Date(createdAt) }
}

/** The parsed command line of `ingot logs`, for the log of this or another server. */
export interface LogsArguments {
  readonly dir: string
  readonly filter: LogFilter
  readonly limit: number
  readonly json: boolean
  readonly follow: boolean
  readonly notify: boolean
}
