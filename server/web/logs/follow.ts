/** Follows the log: shows new entries as they arrive, including those committed after entries with higher ids. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type KeptEntry, LOGGED } from './model.ts'
import { entriesAfter, newestIds } from './read.ts'

/** Milliseconds between polls without a notification, and after a failure. */
const POLL_INTERVAL = 2_000
const RETRY = 1_000
/** Milliseconds for which a missing id may still appear, and most missing ids remembered. */
const MAX_DELAY = 60_000
const MAX_MISSING = 5_000

/**
 * Follows the log until the signal.
 * @param ready called when everything logged from then on will be shown; returns the ids it has already shown
 * @param show receives the entries
 * @param away called when the database becomes unreachable, and when it is reachable again
 */
export async function follow(
  sql: Sql,
  signal: AbortSignal,
  {
    ready,
    show,
    away,
  }: {
    readonly ready: () => Promise<ReadonlySet<string>>
    readonly show: (entries: readonly KeptEntry[]) => void
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
  /** Ids below the latest that were skipped, with the time at which this was noticed. */
  const missing = new Map<bigint, number>()
  miss(missing, known, known[0] ?? 0n)
  // Listening resumes by itself after a lost connection; the second callback then reads what was missed.
  const listening = await sql.listen(LOGGED, onNotify, onNotify)
  const before = await ready()
  while (!signal.aborted) {
    notified = false
    let more = false
    try {
      const entries = await entriesAfter(sql, String(last), [...missing.keys()].map(String))
      const ids = entries.map(({ id }) => BigInt(id))
      for (const id of ids) missing.delete(id)
      miss(
        missing,
        ids.filter((id) => id > last),
        last + 1n,
      )
      last = ids.reduce((a, b) => (a > b ? a : b), last)
      const others = entries.filter(({ id }) => !before.has(id))
      if (others.length > 0) show(others)
      more = entries.length > 0
      away(null)
    } catch (error) {
      if (signal.aborted) break
      away(error)
      await sleep(RETRY)
      continue
    }
    forget(missing)
    if (notified || more || signal.aborted) continue
    await new Promise<void>((done) => {
      const timer = setTimeout(done, POLL_INTERVAL)
      wake = () => {
        clearTimeout(timer)
        done()
      }
      if (notified) wake()
    })
  }
  // The connection may be gone, and then nothing is left to stop.
  await listening.unlisten().catch(() => undefined)
}

/** Records the ids missing in an ascending list, counted from `from`. */
function miss(missing: Map<bigint, number>, ids: readonly bigint[], from: bigint): void {
  const now = performance.now()
  let next = from
  for (const id of ids) {
    // After a crash a database skips many ids; only the nearest can still appear.
    for (let gap = id - next > MAX_MISSING ? id - BigInt(MAX_MISSING) : next; gap < id; gap++) missing.set(gap, now)
    next = id + 1n
  }
}

function forget(missing: Map<bigint, number>): void {
  const over = performance.now() - MAX_DELAY
  for (const [id, since] of missing) {
    if (since >= over && missing.size <= MAX_MISSING) break
    missing.delete(id)
  }
}
