/**
 * Resolves staged rows set by set: which stored row each stands for, conflicts between them, the ids of new rows, and
 * references. Rows with errors are removed from the staging tables.
 */
import type { Sql, TransactionSql } from 'postgres'
import { identifier, literal, nothing, parameter, type Sql as SqlText, sql } from '../../runtime/data/sql/sql.ts'
import { sendOnce } from '../store/send.ts'
import type { RowError } from './rows.ts'
import type { StagingTable, StagingTables } from './stage.ts'

export interface SettleContext {
  readonly client: TransactionSql
  readonly stage: StagingTables
  report(fault: RowError): void
}

/** Finds the stored rows that staged ones stand for, and rejects rows with errors. Ids of new rows follow later. */
export async function settleTargets(to: SettleContext): Promise<void> {
  await sendOnce(
    to.client,
    sql`analyze import_records, import_users, import_profiles, import_documents, import_references`,
  )
  await settleRecords(to)
  await settleUsers(to)
  await reject(to, 'import_documents', {
    property: sql`'id'`,
    reason: sql`'id ''' || s.id || ''' is given twice: first in line ' || bad.first`,
    bad: duplicates('import_documents', sql`(search_index, id)`),
  })
}

async function settleRecords(to: SettleContext): Promise<void> {
  await reject(to, 'import_records', {
    property: sql`'id'`,
    reason: sql`'id ' || s.id || ' is given twice: first in line ' || bad.first`,
    bad: duplicates('import_records', sql`id`),
  })
  // An export may contain several rows with the same external id; a row that is identified by it alone must be unique.
  await reject(to, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`'external_id ''' || s.external_id || ''' is given twice: first in line ' || bad.first`,
    bad: sql`
      select n, first from (
        select n, id, row_number() over same as nth, first_value(line) over same as first
        from import_records where external_id <> '' window same as (partition by table_id, external_id order by (id is null), n)
      ) numbered where nth > 1 and id is null`,
  })
  await reject(to, 'import_records', {
    property: sql`'id'`,
    reason: sql`'id ' || s.id || ' is a row of another table'`,
    bad: sql`
      select s.n, 0 as first from import_records s join ingot.records r on r.id = s.id where r.table_id <> s.table_id`,
  })
  await sendOnce(to.client, sql`update import_records s set target = r.id from ingot.records r where r.id = s.id`)
  await reject(to, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`bad.first || ' rows have the external_id ''' || s.external_id || ''': give the id'`,
    bad: sql`
      select s.n, count(*) as first from import_records s
      join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id and r.deleted_at is null
      where s.id is null and s.external_id <> '' group by s.n having count(*) > 1`,
  })
  await sendOnce(
    to.client,
    sql`
      update import_records s set target = known.id from (
        select distinct on (s.n) s.n, r.id from import_records s
        join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id
        where s.id is null and s.external_id <> '' order by s.n, (r.deleted_at is not null), r.id
      ) known where known.n = s.n`,
  )
  await reject(to, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`'it stands for the row of id ' || s.target || ', as line ' || bad.first || ' does'`,
    bad: duplicates('import_records', sql`target`, { order: sql`(id is null), n` }),
  })
}

/** Values that no two users of a file may share. */
const USER_KEYS = [
  { column: 'id', key: sql`id`, shown: sql`s.id::text`, where: sql`true` },
  { column: 'external_id', key: sql`external_id`, shown: sql`s.external_id`, where: sql`true` },
  { column: 'email', key: sql`lower(email)`, shown: sql`s.email`, where: sql`deleted_at is null` },
  { column: 'slug', key: sql`slug`, shown: sql`s.slug`, where: sql`deleted_at is null` },
] as const

/** Values that a user may not share with a stored user. */
const TAKEN_KEYS = [
  {
    column: 'email',
    same: sql`lower(r.email) = lower(s.email) and r.deleted_at is null and s.deleted_at is null`,
  },
  { column: 'slug', same: sql`r.slug = s.slug and r.deleted_at is null and s.deleted_at is null` },
  { column: 'external_id', same: sql`r.external_id = s.external_id` },
] as const

async function settleUsers(to: SettleContext): Promise<void> {
  for (const { column, key, shown, where } of USER_KEYS) {
    await reject(to, 'import_users', {
      property: literal(column),
      reason: sql`${literal(`${column} '`)} || ${shown} || ''' is given twice: first in line ' || bad.first`,
      bad: duplicates('import_users', key, { where }),
    })
  }
  await findUsers(to.client)
  await reject(to, 'import_users', {
    property: sql`'id'`,
    reason: sql`'it stands for the user of id ' || s.target || ', as line ' || bad.first || ' does'`,
    bad: duplicates('import_users', sql`target`, { order: sql`(id is null), n` }),
  })
  // Even if the stored user gets another value in this import, because unique indexes check each row as it is written.
  for (const { column, same } of TAKEN_KEYS) {
    await reject(to, 'import_users', {
      property: literal(column),
      reason: sql`'the user of id ' || bad.first || ${literal(` has the ${column} '`)} || s.${identifier(column)} || ''''`,
      bad: sql`
        select s.n, min(r.id) as first from import_users s join ingot.users r on ${same}
        where r.id is distinct from s.target group by s.n`,
    })
  }
  await reject(to, 'import_users', {
    property: sql`'profiles'`,
    reason: sql`'a profile''s id ' || bad.first || ' is taken'`,
    bad: sql`
      select p.n, min(p.id) as first from import_profiles p join import_users s on s.n = p.n
      left join ingot.profiles r on r.id = p.id
      left join import_profiles other on other.id = p.id and (other.n, other.profile_type) <> (p.n, p.profile_type)
      where other.n is not null or (r.id is not null and (r.user_id, r.profile_type) is distinct from (s.target, p.profile_type))
      group by p.n`,
  })
}

/** Finds stored users by id, otherwise by external id, otherwise by e-mail address. */
async function findUsers(client: TransactionSql): Promise<void> {
  await sendOnce(client, sql`update import_users s set target = r.id from ingot.users r where r.id = s.id`)
  await sendOnce(
    client,
    sql`
      update import_users s set target = r.id from ingot.users r
      where s.id is null and r.external_id = s.external_id`,
  )
  await sendOnce(
    client,
    sql`
      update import_users s set target = r.id from ingot.users r
      where s.id is null and s.target is null and lower(r.email) = lower(s.email) and r.deleted_at is null`,
  )
}

/**
 * Selects the rows that repeat a key, except the first.
 * @param key may be null, which is not a repetition
 * @param order which row is the first
 */
function duplicates(
  table: StagingTable,
  key: SqlText,
  { order = sql`n`, where = sql`true` }: { readonly order?: SqlText; readonly where?: SqlText } = {},
): SqlText {
  return sql`
    select n, first from (
      select n, row_number() over same as nth, first_value(line) over same as first
      from ${identifier(table)} where ${key} is not null and ${where}
      window same as (partition by ${key} order by ${order})
    ) numbered where nth > 1`
}

/**
 * Assigns ids to new rows, and moves the sequences beyond the largest ids in the file.
 * @param outside a connection outside of the transaction, so that sequences are locked only for a moment
 */
export async function giveIds(client: TransactionSql, outside: Sql): Promise<void> {
  const [greatest] = await sendOnce<Record<'users' | 'records' | 'profiles', string | null>[]>(
    client,
    sql`
      select (select max(id) from import_users)::text as users,
        (select max(greatest(id, 0)) from import_records)::text as records,
        (select max(id) from import_profiles)::text as profiles`,
  )
  if (greatest?.users) await moveSequence(outside, 'user_ids', greatest.users)
  if (greatest?.records) await moveSequence(outside, 'ids', greatest.records)
  if (greatest?.profiles) await moveSequence(outside, 'row_ids', greatest.profiles)
  await numberNew(client, 'import_users', 'user_ids')
  await numberNew(client, 'import_records', 'ids')
}

/** Names of sequences. */
type Sequence = 'ids' | 'user_ids' | 'row_ids'

/** Assigns each new row its own id, or the next one of the sequence. */
async function numberNew(client: TransactionSql, table: StagingTable, sequence: Sequence): Promise<void> {
  const [staged, next] = [identifier(table), sql`nextval(${literal(`ingot.${sequence}`)})`]
  await sendOnce(
    client,
    sql`
      update ${staged} s set new_id = given.id from (
        select n, coalesce(id, ${next}) as id from (select n, id from ${staged} where target is null order by n) fresh
      ) given where given.n = s.n`,
  )
}

/** Assigns provisional ids for a dry run, which must not use up any. */
export async function giveTrialIds(client: TransactionSql): Promise<void> {
  for (const table of ['import_users', 'import_records'])
    await sendOnce(client, sql`update ${identifier(table)} set new_id = coalesce(id, -n) where target is null`)
}

async function moveSequence(outside: Sql, sequence: Sequence, greatest: string): Promise<void> {
  const [name, value] = [sql`ingot.${identifier(sequence)}`, parameter(greatest, 'bigint')]
  await outside.begin(async (client) => {
    const [{ behind } = { behind: false }] = await sendOnce<{ behind: boolean }[]>(
      client,
      sql`select last_value <= ${value} as behind from ${name}`,
    )
    if (!behind) return
    // Locks the sequence, so that no `nextval` happens between reading and setting it.
    await sendOnce(client, sql`alter sequence ${name} no cycle`)
    await sendOnce(
      client,
      sql`select setval(${literal(`ingot.${sequence}`)}, greatest(last_value, ${value})) from ${name}`,
    )
  })
}

/** Generates missing slugs of new users as `user_create` does: with the id appended when the slug is taken. */
export async function giveSlugs(client: TransactionSql): Promise<void> {
  await sendOnce(
    client,
    sql`
      update import_users s set slug = case when taken then slug_base || '-' || s.new_id else slug_base end
      from (
        select n, count(*) over (partition by slug_base) > 1
          or exists (select from ingot.users r where r.slug = f.slug_base and r.deleted_at is null)
          or exists (select from import_users o where o.slug = f.slug_base) as taken
        from import_users f where target is null and slug is null
      ) named where named.n = s.n`,
  )
}

/** Resolves references, rejects rows whose references do not exist, and writes the ids. */
export async function settleReferences(to: SettleContext): Promise<void> {
  const { client } = to
  const [any] = await sendOnce(client, sql`select 1 from import_references limit 1`)
  if (any === undefined) return
  await sendOnce(
    client,
    sql`
      create index on import_records (table_id, external_id) where external_id is not null;
      create index on import_users (external_id);
      create index on import_users (lower(email));
      create index on import_references (n, k)`,
  )
  let missing = 0
  // Repeated, because rows may refer to rejected rows.
  do missing = await rejectMissing(to)
  while (missing > 0)
  const [{ most } = { most: null }] = await sendOnce<{ most: number | null }[]>(
    client,
    sql`select max(k) as most from import_references`,
  )
  for (let k = 0; most !== null && k <= most; k++)
    for (const kind of REFERRING) await sendOnce(client, writeFound(kind, k))
}

/** The kinds of rows that contain references. */
const REFERRING = ['record', 'user'] as const
type Referring = (typeof REFERRING)[number]

const stagingTableOf = (kind: Referring): StagingTable => `import_${kind}s`

/**
 * Resolves references, and rejects rows whose references do not exist.
 * @returns the number of rejected rows
 */
async function rejectMissing(to: SettleContext): Promise<number> {
  await sendOnce(to.client, FIND)
  let missing = 0
  for (const kind of REFERRING)
    missing += await reject(to, stagingTableOf(kind), {
      property: sql`bad.property`,
      reason: sql`bad.reason`,
      bad: sql`
        select distinct on (n) n, coalesce(property, 'user_id') as property,
          case when table_id is null then 'there is no user ''' || key || ''''
          else 'there is no row of table ''' || t.name || ''' with the external_id ''' || key || '''' end as reason
        from import_references left join import_tables t using (table_id)
        where kind = ${literal(kind)} and found is null order by n, k`,
    })
  await sendOnce(
    to.client,
    sql`
      delete from import_references r where found is null
        or (kind = 'record' and not exists (select from import_records s where s.n = r.n))
        or (kind = 'user' and not exists (select from import_users s where s.n = r.n))`,
  )
  return missing
}

// In order of preference: rows of the same import, then living rows, then the oldest. Each part is one index lookup.
const FIND = sql`
  update import_references f set found = coalesce(
    (select coalesce(s.target, s.new_id) from import_records s
     where s.table_id = f.table_id and s.external_id = f.key order by (s.deleted_at is not null), s.n limit 1),
    (select r.id from ingot.records r
     where r.table_id = f.table_id and r.external_id = f.key order by (r.deleted_at is not null), r.id limit 1),
    (select coalesce(s.target, s.new_id) from import_users s where f.table_id is null and s.external_id = f.key),
    (select r.id from ingot.users r where f.table_id is null and r.external_id = f.key),
    (select coalesce(s.target, s.new_id) from import_users s
     where f.table_id is null and lower(s.email) = lower(f.key) and s.deleted_at is null),
    (select r.id from ingot.users r where f.table_id is null and lower(r.email) = lower(f.key) and r.deleted_at is null))`

/** Writes the ids of the references that are the `k`th of their rows. */
function writeFound(kind: Referring, k: number): SqlText {
  const value = sql`case when f.number then to_jsonb(f.found) else to_jsonb(f.found::text) end`
  const path = sql`case when f.item is null then array[f.property] else array[f.property, f.item::text] end`
  const owner =
    kind === 'record' ? sql`user_id = case when f.property is null then f.found else s.user_id end, ` : nothing
  return sql`
    update ${identifier(stagingTableOf(kind))} s set ${owner}properties = case when f.property is null then s.properties
      else jsonb_set(s.properties, ${path}, ${value}) end
    from import_references f where f.kind = ${literal(kind)} and f.n = s.n and f.k = ${k}::integer`
}

/** Rows to reject, as SQL over the rows `s` and `bad`. */
interface Rejection {
  readonly property: SqlText
  readonly reason: SqlText
  /** A query for the row numbers `n`, and what the other parts use. */
  readonly bad: SqlText
}

interface RejectedRow {
  readonly file: number
  readonly line: number
  readonly row: number
  readonly table_id: number | null
  readonly search_index: string | null
  readonly property: string
  readonly reason: string
}

/** Rows per batch of the cursor, because a file may consist of nothing but duplicates. */
const FETCH_SIZE = 1000

/**
 * Removes and reports rows.
 * @returns their number
 */
async function reject(to: SettleContext, table: StagingTable, { property, reason, bad }: Rejection): Promise<number> {
  const rows = sendOnce<RejectedRow[]>(
    to.client,
    sql`
      with gone as (
        delete from ${identifier(table)} s using (${bad}) bad where bad.n = s.n
        returning s.n, s.file, s.line, s."row",
          ${table === 'import_records' ? sql`s.table_id` : sql`null::integer`} as table_id,
          ${table === 'import_documents' ? sql`s.search_index` : sql`null::text`} as search_index,
          ${property} as property, ${reason} as reason
      ) select * from gone order by n`,
  )
  let count = 0
  await rows.cursor(FETCH_SIZE, (some) => {
    for (const { property: name, reason: why, ...at } of some) {
      to.report({ location: to.stage.locationOf(at), property: name, reason: why })
      count++
    }
  })
  return count
}
