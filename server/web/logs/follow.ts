/**
 * Follows the log: reports new entries as they arrive, including entries that were committed after entries with higher
 * ids.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type StoredEntry, LOG_CHANNEL } from './model.ts'
import { entriesAfter, newestIds } from './read-entries.ts'

/** Milliseconds between polls without a notification, and after a failure. */
const POLL_INTERVAL = 2_000
const RETRY = 1_000
/** Milliseconds for which a missing id may still appear, and maximum number of remembered missing ids. */
const MAX_DELAY = 60_000
const MAX_MISSING = 5_000

/**
 * Follows the log until the signal aborts.
 * @param ready called when all later entries will be reported; returns the ids that it has already shown
 * @param show receives the entries
 * @param away called with the error when the database becomes unreachable, and with null when it is reachable
 */
export async function followLog(
  sql: Sql,
  signal: AbortSignal,
  {
    ready,
    show,
    away,
  }: {
    readonly ready: () => Promise<ReadonlySet<string>>
    readonly show: (entries: readonly StoredEntry[]) => void
    readonly away: (error: unknown) => void
  },
): Promise<void> {
  let wake: () => void = () => undefined
  let notified = false
  const onNotify = (): void => {
    notified = true
    wake()
  }
  signal.addEventListener('abort', onNotify)
  const newest = await newestIds(sql, MAX_MISSING)
  let lastId = newest.at(-1) ?? 0n
  /** Skipped ids below the latest one, with the time at which the gap was noticed. */
  const missingIds = new Map<bigint, number>()
  recordGaps(missingIds, newest, newest[0] ?? 0n)
  // The client listens again after a lost connection. The second callback then reads the missed entries.
  const listening = await sql.listen(LOG_CHANNEL, onNotify, onNotify)
  const alreadyShown = await ready()
  while (!signal.aborted) {
    notified = false
    let hasMore = false
    try {
      const entries = await entriesAfter(sql, String(lastId), [...missingIds.keys()].map(String))
      const ids = entries.map(({ id }) => BigInt(id))
      for (const id of ids) missingIds.delete(id)
      recordGaps(
        missingIds,
        ids.filter((id) => id > lastId),
        lastId + 1n,
      )
      lastId = ids.reduce((a, b) => (a > b ? a : b), lastId)
      const newEntries = entries.filter(({ id }) => !alreadyShown.has(id))
      if (newEntries.length > 0) show(newEntries)
      hasMore = entries.length > 0
      away(null)
    } catch (error) {
      if (signal.aborted) break
      away(error)
      await sleep(RETRY)
      continue
    }
    forgetOldGaps(missingIds)
    if (notified || hasMore || signal.aborted) continue
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (notified) wake()
    })
  }
  // Listening has already ended when the connection is lost.
  await listening.unlisten().catch(() => undefined)
}

/** Records the ids that are missing in an ascending list, starting at `from`. */
function recordGaps(missingIds: Map<bigint, number>, ids: readonly bigint[], firstId: bigint): void {
  const now = performance.now()
  let expectedId = firstId
  for (const id of ids) {
    // After a crash, the database skips many ids. Only the last ones can still appear.
    for (let gap = id - expectedId > MAX_MISSING ? id - BigInt(MAX_MISSING) : expectedId; gap < id; gap++)
      missingIds.set(gap, now)
    expectedId = id + 1n
  }
}

function forgetOldGaps(missingIds: Map<bigint, number>): void {
  const expiry = performance.now() - MAX_DELAY
  for (const [id, since] of missingIds) {
    if (since >= expiry && missingIds.size <= MAX_MISSING) break
    missingIds.delete(id)
  }
}
