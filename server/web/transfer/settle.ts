/**
 * Matches staged rows with stored rows, detects conflicts between them, and assigns ids to new rows. Rows with errors
 * are removed from the staging tables.
 */
import type { Sql, TransactionSql } from 'postgres'
import { identifier, literal, parameter, type Sql as SqlText, sql } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'
import type { RowError } from './rows.ts'
import type { StagingTable, StagingTables } from './stage.ts'

/** The context that all steps of an import share. */
export interface SettleContext {
  readonly client: TransactionSql
  readonly stage: StagingTables
  report(fault: RowError): void
  /** Called when a value is changed before it is written. The rest of the row is written unchanged. */
  warn(fault: RowError): void
}

/** Finds the stored rows of staged rows and rejects rows with errors. New rows get their ids later. */
export async function matchStoredRows(context: SettleContext): Promise<void> {
  await sendOnce(
    context.client,
    sql`analyze import_records, import_users, import_profiles, import_documents, import_references, import_activities`,
  )
  await matchRecords(context)
  await matchLoneProfiles(context)
  await matchUsers(context)
  await reject(context, 'import_activities', {
    property: sql`'uuid'`,
    reason: sql`'uuid ''' || s.uuid || ''' is given twice: first in line ' || bad.first`,
    bad: duplicates('import_activities', sql`uuid`),
  })
  await reject(context, 'import_documents', {
    property: sql`'id'`,
    reason: sql`'id ''' || s.id || ''' is given twice: first in line ' || bad.first`,
    bad: duplicates('import_documents', sql`(search_index, id)`),
  })
}

async function matchRecords(context: SettleContext): Promise<void> {
  await reject(context, 'import_records', {
    property: sql`'id'`,
    reason: sql`'id ' || s.id || ' is given twice: first in line ' || bad.first`,
    bad: duplicates('import_records', sql`id`),
  })
  // An export may contain several rows with the same external id. Only a row that is identified by its external id must
  // be unique.
  await reject(context, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`'external_id ''' || s.external_id || ''' is given twice: first in line ' || bad.first`,
    bad: sql`
      select n, first from (
        select n, id, row_number() over same as nth, first_value(line) over same as first
        from import_records where external_id <> '' window same as (partition by table_id, external_id order by (id is null), n)
      ) numbered where nth > 1 and id is null`,
  })
  await reject(context, 'import_records', {
    property: sql`'id'`,
    reason: sql`'id ' || s.id || ' is a row of another table'`,
    bad: sql`
      select s.n, 0 as first from import_records s join ingot.records r on r.id = s.id where r.table_id <> s.table_id`,
  })
  await sendOnce(context.client, sql`update import_records s set target = r.id from ingot.records r where r.id = s.id`)
  await reject(context, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`bad.first || ' rows have the external_id ''' || s.external_id || ''': use the id'`,
    bad: sql`
      select s.n, count(*) as first from import_records s
      join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id and r.deleted_at is null
      where s.id is null and s.external_id <> '' group by s.n having count(*) > 1`,
  })
  await sendOnce(
    context.client,
    sql`
      update import_records s set target = known.id from (
        select distinct on (s.n) s.n, r.id from import_records s
        join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id
        where s.id is null and s.external_id <> '' order by s.n, (r.deleted_at is not null), r.id
      ) known where known.n = s.n`,
  )
  await reject(context, 'import_records', {
    property: sql`'external_id'`,
    reason: sql`'it refers to the row with the id ' || s.target || ', as line ' || bad.first || ' does'`,
    bad: duplicates('import_records', sql`target`, { order: sql`(id is null), n` }),
  })
}

/** Assigns separate profiles to their users. A user that is only stored gets a staged row without changes. */
async function matchLoneProfiles(context: SettleContext): Promise<void> {
  const [any] = await sendOnce(context.client, sql`select 1 from import_lone_profiles limit 1`)
  if (any === undefined) return
  // A user that is referred to by key gets the id of the stored user, if there is one.
  await sendOnce(
    context.client,
    sql`
      create index on import_users (id);
      create index on import_users (alias) where alias is not null;
      create index on import_users (external_id);
      update import_lone_profiles p set user_id = r.id from ingot.users r
      where p.user_id is null and r.external_id = p.user_key
        and not exists (select from import_users u where u.alias = p.user_key)
        and not exists (select from import_users u where u.external_id = p.user_key);
      insert into import_users (n, file, line, "row", id, external_id, properties, given, "each")
      select min(p.n), min(p.file), min(p.line), min(p."row"), p.user_id, r.external_id, '{}', '{}', true
      from import_lone_profiles p join ingot.users r on r.id = p.user_id
      where not exists (select from import_users u where u.id = p.user_id) group by p.user_id, r.external_id`,
  )
  await sendOnce(
    context.client,
    sql`
      create temporary table import_profile_owners on commit drop as
      select p.n, coalesce(
        (select u.n from import_users u where u.id = p.user_id order by u.n limit 1),
        (select u.n from import_users u where p.user_id is null and u.alias = p.user_key order by u.n limit 1),
        (select u.n from import_users u where p.user_id is null and u.external_id = p.user_key order by u.n limit 1)
      ) as owner from import_lone_profiles p`,
  )
  await reject(context, 'import_lone_profiles', {
    property: sql`'user_id'`,
    reason: sql`'there is no user with the id ' || coalesce(s.user_id::text, s.user_key)`,
    bad: sql`select n from import_profile_owners where owner is null`,
  })
  await reject(context, 'import_lone_profiles', {
    property: sql`'profile_type'`,
    reason: sql`'the user has two profiles of type ''' || s.profile_type || ''': the other one is in line ' || bad.first`,
    bad: sql`
      select n, first from (
        select n, row_number() over same as nth, first_value(line) over same as first
        from import_lone_profiles join import_profile_owners using (n)
        window same as (partition by owner, profile_type order by n)
      ) numbered where nth > 1`,
  })
  await sendOnce(
    context.client,
    sql`
      insert into import_profiles (n, id, profile_type, properties, undeclared, created_at, updated_at, deleted_at)
      select o.owner, p.id, p.profile_type, p.properties, p.undeclared, p.created_at, p.updated_at, p.deleted_at
      from import_lone_profiles p join import_profile_owners o using (n);
      update import_owned w set n = o.owner from import_profile_owners o where o.n = w.n`,
  )
}

/** Values that two users of a file must not share. */
const USER_KEYS = [
  { column: 'id', key: sql`id`, shown: sql`s.id::text`, where: sql`true` },
  { column: 'external_id', key: sql`external_id`, shown: sql`s.external_id`, where: sql`true` },
  { column: 'email', key: sql`lower(email)`, shown: sql`s.email`, where: sql`deleted_at is null` },
  { column: 'slug', key: sql`slug`, shown: sql`s.slug`, where: sql`deleted_at is null` },
] as const

/** Values that a user must not share with a stored user. */
const TAKEN_KEYS = [
  {
    column: 'email',
    same: sql`lower(r.email) = lower(s.email) and r.deleted_at is null and s.deleted_at is null`,
  },
  { column: 'slug', same: sql`r.slug = s.slug and r.deleted_at is null and s.deleted_at is null` },
  { column: 'external_id', same: sql`r.external_id = s.external_id` },
] as const

async function matchUsers(context: SettleContext): Promise<void> {
  for (const { column, key, shown, where } of USER_KEYS) {
    await reject(context, 'import_users', {
      property: literal(column),
      reason: sql`${literal(`${column} '`)} || ${shown} || ''' is given twice: first in line ' || bad.first`,
      bad: duplicates('import_users', key, { where }),
    })
  }
  await findUsers(context.client)
  await reject(context, 'import_users', {
    property: sql`'id'`,
    reason: sql`'it matches the same stored user as line ' || bad.first || ': the user with the id ' || s.target`,
    bad: duplicates('import_users', sql`target`, { order: sql`(id is null), n` }),
  })
  await reject(context, 'import_users', {
    property: sql`'email'`,
    reason: sql`'a user needs an email address'`,
    bad: sql`select n from import_users where target is null and email is null`,
  })
  // Checked even if the stored user gets another value in this import, because unique indexes check each row as it is
  // written.
  for (const { column, same } of TAKEN_KEYS) {
    await reject(context, 'import_users', {
      property: literal(column),
      reason: sql`'the user with the id ' || bad.first || ${literal(` has the ${column} '`)} || s.${identifier(column)} || ''''`,
      bad: sql`
        select s.n, min(r.id) as first from import_users s join ingot.users r on ${same}
        where r.id is distinct from s.target group by s.n`,
    })
  }
  await reject(context, 'import_users', {
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

/** Finds stored users by id, else by external id, else by email address. */
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
 * Selects the rows that repeat a key, except for the first one.
 * @param key may be null, which is not a repetition
 * @param order determines which row is the first
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
 * Assigns ids to new rows, and advances the sequences beyond the largest ids in the file.
 * @param outside a connection outside of the transaction. Sequences are locked only briefly on this connection
 */
export async function assignIds(client: TransactionSql, outside: Sql): Promise<void> {
  const [greatest] = await sendOnce<Record<'users' | 'records' | 'others', string | null>[]>(
    client,
    sql`
      select (select max(id) from import_users)::text as users,
        (select max(greatest(id, 0)) from import_records)::text as records,
        greatest((select max(id) from import_profiles), (select max(id) from import_activities))::text as others`,
  )
  if (greatest?.users) await moveSequence(outside, 'user_ids', greatest.users)
  if (greatest?.records) await moveSequence(outside, 'ids', greatest.records)
  if (greatest?.others) await moveSequence(outside, 'row_ids', greatest.others)
  await numberNew(client, 'import_users', 'user_ids')
  await numberNew(client, 'import_records', 'ids')
}

/** Name of a sequence of ids. */
type Sequence = 'ids' | 'user_ids' | 'row_ids'

/** Sets the id of each new row: the given id or the next value of the sequence. */
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

/** Assigns provisional ids for a dry run, which must not consume ids. */
export async function assignTrialIds(client: TransactionSql): Promise<void> {
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
    // Locks the sequence, so that `nextval` cannot run between reading and setting it.
    await sendOnce(client, sql`alter sequence ${name} no cycle`)
    await sendOnce(
      client,
      sql`select setval(${literal(`ingot.${sequence}`)}, greatest(last_value, ${value})) from ${name}`,
    )
  })
}

/** Generates missing slugs of new users as in `user_create`: the id is appended when the slug is taken. */
export async function assignSlugs(client: TransactionSql): Promise<void> {
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

/** Rejects new rows when an import may only change stored rows. */
export async function rejectNew(context: SettleContext): Promise<void> {
  for (const table of ['import_records', 'import_users'] as const)
    await reject(context, table, {
      property: sql`'id'`,
      reason: sql`'there is no row with the id ' || coalesce(s.id::text, s.external_id, '(none)')`,
      bad: sql`select n from ${identifier(table)} where target is null`,
    })
}

/** Rows to reject, as SQL over the rows `s` and `bad`. */
export interface Rejection {
  readonly property: SqlText
  readonly reason: SqlText
  /** A query that returns the row numbers `n` and columns for the other parts. */
  readonly bad: SqlText
}

export interface RejectedRow {
  readonly file: number
  readonly line: number
  readonly row: number
  readonly table_id: number | null
  readonly search_index: string | null
  readonly property: string
  readonly reason: string
}

/** Number of rows per batch of the cursor. A file may contain only duplicates. */
export const FETCH_SIZE = 1000

/**
 * Removes and reports rows.
 * @returns their number
 */
export async function reject(
  context: SettleContext,
  table: StagingTable,
  { property, reason, bad }: Rejection,
): Promise<number> {
  const rows = sendOnce<RejectedRow[]>(
    context.client,
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
  await rows.cursor(FETCH_SIZE, (batch) => {
    for (const { property: name, reason, ...at } of batch) {
      context.report({ location: context.stage.locationOf(at), property: name, reason })
      count++
    }
  })
  return count
}
