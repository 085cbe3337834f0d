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
/** Milliseconds for which a missing id may still appear, and most missing ids that are remembered. */
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
  const known = await newestIds(sql, MAX_MISSING)
  let last = known.at(-1) ?? 0n
  /** Skipped ids below the latest one, with the time at which the gap was noticed. */
  const missing = new Map<bigint, number>()
  recordGaps(missing, known, known[0] ?? 0n)
  // The client listens again after a lost connection. The second callback then reads the missed entries.
  const listening = await sql.listen(LOG_CHANNEL, onNotify, onNotify)
  const alreadyShown = await ready()
  while (!signal.aborted) {
    notified = false
    let hasMore = false
    try {
      const entries = await entriesAfter(sql, String(last), [...missing.keys()].map(String))
      const ids = entries.map(({ id }) => BigInt(id))
      for (const id of ids) missing.delete(id)
      recordGaps(
        missing,
        ids.filter((id) => id > last),
        last + 1n,
      )
      last = ids.reduce((a, b) => (a > b ? a : b), last)
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
    forgetOldGaps(missing)
    if (notified || hasMore || signal.aborted) continue
    await new Promise<void>((done) => {
      const timer = setTimeout(done, POLL_INTERVAL)
      wake = () => {
        clearTimeout(timer)
        done()
      }
      if (notified) wake()
    })
  }
  // The connection may be lost already, and then there is nothing to stop.
  await listening.unlisten().catch(() => undefined)
}

/** Records the ids that are missing in an ascending list, starting at `from`. */
function recordGaps(missing: Map<bigint, number>, ids: readonly bigint[], from: bigint): void {
  const now = performance.now()
  let next = from
  for (const id of ids) {
    // After a crash, the database skips many ids. Only the last ones can still appear.
    for (let gap = id - next > MAX_MISSING ? id - BigInt(MAX_MISSING) : next; gap < id; gap++) missing.set(gap, now)
    next = id + 1n
  }
}

function forgetOldGaps(missing: Map<bigint, number>): void {
  const expiry = performance.now() - MAX_DELAY
  for (const [id, since] of missing) {
    if (since >= expiry && missing.size <= MAX_MISSING) break
    missing.delete(id)
  }
}
