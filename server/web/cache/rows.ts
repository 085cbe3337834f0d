/** Stores fragments in rows of the table `ingot.cache`. All servers of the database share them. */
import type { Sql } from 'postgres'
import { LOCKS } from '../../data/store/locks.ts'
import { type CacheStore, LEASE, type FragmentKey } from './model.ts'

/** Maximum total size of all fragments in bytes. */
const MAX_BYTES = 256 * 1024 * 1024
/** Estimated bytes of a row in addition to its text. */
const ROW_OVERHEAD = 200
/** Maximum number of rows that one statement removes. */
const BATCH_SIZE = 20_000

/** The result of a look-up. */
interface FragmentRow {
  readonly fragment: string | null
  readonly left: number | null
}

/**
 * Creates the store.
 * @param maxBytes maximum total size of the fragments in bytes. The least recently used fragments are removed first
 */
export function createRowStore(sql: Sql, maxBytes = MAX_BYTES): CacheStore {
  const toLookup = (row: FragmentRow | undefined) =>
    row === undefined || row.fragment === null
      ? null
      : ({ kind: 'kept', text: row.fragment, remaining: row.left === null ? null : Number(row.left) } as const)

  return {
    async read({ space, key }) {
      const [row] = await sql<FragmentRow[]>`
        select fragment, extract(epoch from until - now()) * 1000 as left from ingot.cache
        where space = ${space} and key = ${key} and fragment is not null and (until is null or until > now())`
      return toLookup(row)
    },
    async readOrClaim({ space, key }, claim) {
      // One statement looks up the fragment and claims it, so that only one of several servers gets the claim. Another
      // server can take over an expired claim.
      const [row] = await sql<(FragmentRow & { mine: boolean })[]>`
        with hit as materialized (
          select fragment, extract(epoch from until - now()) * 1000 as left from ingot.cache
          where space = ${space} and key = ${key} and fragment is not null and (until is null or until > now())
        ), claimed as (
          insert into ingot.cache as kept (space, key, claim, claimed_until)
          select ${space}::text, ${key}::bytea, ${claim}::text, now() + ${LEASE}::int * interval '1 millisecond' where not exists (select from hit)
          on conflict (space, key) do update set claim = excluded.claim, claimed_until = excluded.claimed_until
            where (kept.fragment is null or kept.until <= now()) and (kept.claim is null or kept.claimed_until <= now())
          returning true
        )
        select (select fragment from hit) as fragment, (select hit.left from hit) as left,
          exists (select from claimed) as mine`
      return toLookup(row) ?? { kind: row?.mine === true ? 'ours' : 'theirs' }
    },
    async renew({ space, key }, claim) {
      await sql`
        update ingot.cache set claimed_until = now() + ${LEASE}::int * interval '1 millisecond'
        where space = ${space} and key = ${key} and claim = ${claim}`
    },
    async put({ space, key }, text, seconds) {
      await sql`
        insert into ingot.cache (space, key, fragment, size, until)
        values (${space}, ${key}, ${text}, ${Buffer.byteLength(text) + ROW_OVERHEAD}, now() + ${seconds}::float8 * interval '1 second')
        on conflict (space, key) do update set fragment = excluded.fragment, size = excluded.size, until = excluded.until,
          used_at = now(), claim = null, claimed_until = null`
    },
    async release({ space, key }, claim) {
      await sql`delete from ingot.cache where space = ${space} and key = ${key} and claim = ${claim}`
    },
    async removeUnused(space, used) {
      await recordUse(sql, used)
      await removeOld(sql, space, maxBytes)
    },
    async close() {},
  }
}

async function recordUse(sql: Sql, used: readonly FragmentKey[]): Promise<void> {
  if (used.length === 0) return
  const list = JSON.stringify(used.map(({ space, key }) => ({ space, key: key.toString('hex') })))
  await sql`
    update ingot.cache set used_at = now()
    from jsonb_to_recordset(${list}::text::jsonb) as used (space text, key text)
    where cache.space = used.space and cache.key = decode(used.key, 'hex')`
}

/** Removes old rows. Only one server of a database does this at a time. */
async function removeOld(sql: Sql, space: string | null, maxBytes: number): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    count = await sql.begin(async (transaction) => {
      const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.cache}) as mine`
      if (!row?.mine) return 0
      // Servers of two builds may run side by side during a rollout, so recently used rows of another build are kept.
      const deleted = await transaction`
        delete from ingot.cache where (space, key) in (
          select space, key from ingot.cache
          where (until <= now() or used_at < now() - interval '7 days'
            or (space <> ${space ?? ''} and used_at < now() - interval '1 hour'))
            and (claim is null or claimed_until <= now())
          union all
          select space, key from (
            select space, key, sum(size) over (order by used_at desc, space, key) as total from ingot.cache
          ) as aged where total > ${maxBytes}
                  -- Checked first, because sorting all rows is slow, and usually the limit is not exceeded.
            and (select sum(size) from ingot.cache) > ${maxBytes}
          limit ${BATCH_SIZE})`
      return deleted.count
    })
  }
}
