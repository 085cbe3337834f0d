/** Follows the log: new entries as they come, also those whose writer was slower than others with later ids. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type KeptEntry, LOGGED } from './model.ts'
import { entriesAfter, newestIds } from './read.ts'

/** Milliseconds between looks where nothing is heard, and after a failure. */
const LOOK = 2_000
const RETRY = 1_000
/** Milliseconds in which the writer of an id that is missing may still come; ids that are remembered so. */
const LATE = 60_000
const MOST = 5_000

/**
 * Follows the log until the signal.
 * @param ready called when what is said from then on will be shown; gives the ids of what it has shown itself
 * @param show takes the entries
 * @param away called when the database cannot be reached, and when it can be again
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
  let heard = false
  const hear = (): void => {
    heard = true
    wake()
  }
  signal.addEventListener('abort', hear)
  const known = await newestIds(sql, MOST)
  let last = known.at(-1) ?? 0n
  /** Ids below the last that nobody has seen, with the time at which they were found missing. */
  const missing = new Map<bigint, number>()
  miss(missing, known, known[0] ?? 0n)
  // Listening begins again by itself after a lost connection; what was said meanwhile is read then.
  const listening = await sql.listen(LOGGED, hear, hear)
  const before = await ready()
  while (!signal.aborted) {
    heard = false
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
    if (heard || more || signal.aborted) continue
    await new Promise<void>((done) => {
      const timer = setTimeout(done, LOOK)
      wake = () => {
        clearTimeout(timer)
        done()
      }
      if (heard) wake()
    })
  }
  // A connection that is gone listens no more.
  await listening.unlisten().catch(() => undefined)
}

/** Notes the ids that are missing among ascending ones, from the first that there may be. */
function miss(missing: Map<bigint, number>, ids: readonly bigint[], from: bigint): void {
  const now = performance.now()
  let next = from
  for (const id of ids) {
    // A database that crashed has left out many; those that come late are the nearest.
    for (let gap = id - next > MOST ? id - BigInt(MOST) : next; gap < id; gap++) missing.set(gap, now)
    next = id + 1n
  }
}

function forget(missing: Map<bigint, number>): void {
  const over = performance.now() - LATE
  for (const [id, since] of missing) {
    if (since >= over && missing.size <= MOST) break
    missing.delete(id)
  }
}
