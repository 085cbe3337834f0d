/** Writes staged rows to the site's tables in ranges, so that progress can be shown. */
import type { TransactionSql } from 'postgres'
import {
  identifier,
  join,
  literal,
  emptySql,
  prepared,
  type Sql,
  sql,
  type SqlStatement,
} from '../../../runtime/data/sql/sql.ts'
import { USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { send, sendOnce } from '../../data/store/send.ts'

/** The policy for stored rows that differ. README.md explains the policies. */
export type Policy = 'keep newer' | 'replace' | 'only missing'

/** The number of rows by result. */
export interface MergeCounts {
  readonly added: number
  readonly changed: number
  /** Rows that are equal to the stored row. */
  readonly same: number
  /** Rows that differ but were not written, because the stored row is newer or the policy only adds rows. */
  readonly kept: number
}

/** Number of rows per statement. */
const RANGE = 20_000

/** Adds stored values of undeclared properties to staged rows, because a property may be declared again later. */
const KEEP_UNDECLARED = [
  sql`
    update import_records s set properties = (r.properties - t.declared) || s.properties
    from ingot.records r, import_tables t
    where r.id = s.target and t.table_id = s.table_id and r.properties - t.declared <> '{}'`,
  sql`
    update import_users s set properties = (r.properties - t.declared) || s.properties
    from ingot.users r, import_tables t where r.id = s.target and t.table_id = 0 and r.properties - t.declared <> '{}'`,
  sql`
    update import_profiles p set properties = (r.properties - t.declared) || p.properties
    from import_users s, ingot.profiles r, import_tables t
    where s.n = p.n and r.user_id = s.target and r.profile_type = p.profile_type
      and t.table_id = -1 and t.name = p.profile_type and r.properties - t.declared <> '{}'`,
] as const

/** The condition under which a stored row that differs is kept. */
const KEEP_CONDITION: Readonly<Record<Policy, Sql>> = {
  'keep newer': sql`r.updated_at > s.updated_at`,
  replace: sql`false`,
  'only missing': sql`true`,
}

/** Decides what to do with each row, and returns the counts. */
export async function decideActions(client: TransactionSql, policy: Policy): Promise<MergeCounts> {
  for (const statement of KEEP_UNDECLARED) await sendOnce(client, statement)
  for (const kind of ['records', 'users'] as const) {
    const staged = identifier(`import_${kind}`)
    await sendOnce(
      client,
      sql`
        update ${staged} s set act = case when r.id is null then 'added' when ${isSame(kind)} then 'same'
          when ${KEEP_CONDITION[policy]} then 'kept' else 'changed' end
        from ${staged} own left join ingot.${identifier(kind)} r on r.id = own.target where own.n = s.n`,
    )
  }
  await sendOnce(
    client,
    sql`
      update import_documents s set act = case when r.id is null then 'added'
        when r.document = s.document and coalesce(s.created_at = r.created_at, true)
          and coalesce(s.updated_at = r.updated_at, true) then 'same'
        when ${KEEP_CONDITION[policy]} then 'kept' else 'changed' end
      from import_documents own left join ingot.documents r using (search_index, id) where own.n = s.n`,
  )
  await sendOnce(
    client,
    sql`
      update import_activities s set act = case when r.id is null then 'added'
        when r.payload = s.payload and coalesce(s.created_at = r.created_at, true)
          and coalesce(s.updated_at = r.updated_at, true) then 'same' else 'changed' end
      from import_activities own left join ingot.activities r using (uuid) where own.n = s.n`,
  )
  const counts = { added: 0, changed: 0, same: 0, kept: 0 }
  const rows = await sendOnce<{ act: keyof MergeCounts; count: number }[]>(
    client,
    sql`
      select act, count(*)::float8 as count from (
        select act from import_records union all select act from import_users union all select act from import_documents
        union all select act from import_activities
      ) all_kinds group by act`,
  )
  for (const { act, count } of rows) counts[act] = count
  return counts
}

/** Columns of users that a file always determines. */
const USER_FILE_COLUMNS = [...USER_TEXTS.filter((column) => column !== 'slug'), 'encrypted_password']

const COMPARED = {
  records: ['user_id', 'external_id', 'name', 'customizable_id', 'customizable_type', 'properties', 'deleted_at'],
  users: [...USER_FILE_COLUMNS, 'properties', 'deleted_at'],
} as const

/** Returns a list of columns of an alias. */
function columnList(alias: Sql, columns: readonly string[]): Sql {
  return join(columns.map((column) => sql`${alias}.${identifier(column)}`))
}

/**
 * Returns the condition that the staged row equals the stored row. Optional columns are only compared when they are
 * given.
 */
function isSame(kind: 'records' | 'users'): Sql {
  const [there, here] = [columnList(sql`r`, COMPARED[kind]), columnList(sql`s`, COMPARED[kind])]
  const optionalConditions = ['created_at', 'updated_at', ...(kind === 'users' ? ['slug'] : [])].map((name) => {
    const column = identifier(name)
    return sql`coalesce(s.${column} = r.${column}, true)`
  })
  const conditions = [
    sql`(${there}) is not distinct from (${here})`,
    ...optionalConditions,
    sql`(s.undeclared is null or nullif(s.undeclared, '{}') is not distinct from r.undeclared)`,
    ...(kind === 'users' ? [SAME_PROFILES] : []),
  ]
  return join(conditions, ' and ')
}

const SAME_PROFILES = sql`
  not exists (
    select from import_profiles p left join ingot.profiles o on o.user_id = r.id and o.profile_type = p.profile_type
    where p.n = s.n and (o.id is null or (o.properties, o.deleted_at) is distinct from (p.properties, p.deleted_at)
      or (p.undeclared is not null and nullif(p.undeclared, '{}') is distinct from o.undeclared)
      or o.id <> p.id or o.created_at <> p.created_at or o.updated_at <> p.updated_at))`

/**
 * Writes the rows as decided.
 * @param lastRow the largest row number
 * @param progress called with the number of processed rows
 */
export async function merge(
  client: TransactionSql,
  lastRow: number,
  policy: Policy,
  progress: (rows: number) => void,
): Promise<void> {
  // The indexes are created after the last update of the staged rows.
  await sendOnce(
    client,
    sql`
      create index on import_records (n);
      create index on import_users (n);
      create index on import_profiles (n);
      create index on import_documents (n);
      create index on import_activities (n);
      create index on import_owned (n);
      analyze import_records, import_users, import_profiles, import_documents, import_activities, import_owned`,
  )
  // Users are written first, because profiles refer to them.
  const statements = [
    ...[ADD_USERS, changeUsers(policy), MERGE_PROFILES, ADD_RECORDS, changeRecords(policy)],
    ...[ADD_DOCUMENTS, changeDocuments(policy), MERGE_ACTIVITIES],
    ...OWNERS.flatMap((owner) => [mergeAddresses(owner), mergeAttachments(owner)]),
  ]
  for (let firstRow = 0; firstRow < lastRow; firstRow += RANGE) {
    for (const statement of statements) await send(client, statement(firstRow, firstRow + RANGE), { prepare: true })
    progress(Math.min(firstRow + RANGE, lastRow))
  }
}

/** Creates the statement for the rows with numbers greater than `after`, up to `lastRow`. */
type RangeStatement = (after: number, lastRow: number) => SqlStatement

/**
 * Creates a statement for a range of rows.
 * @param write creates the SQL from the condition that selects the rows `s` of the range
 */
function rangeStatement(write: (inRange: Sql) => Sql): RangeStatement {
  return prepared<[after: number, last: number]>((after, last) =>
    write(sql`s.n > ${after}::integer and s.n <= ${last}::integer`),
  )
}

const ADD_RECORDS = rangeStatement(
  (inRange) => sql`
    insert into ingot.records (
      id, table_id, user_id, external_id, name, customizable_id, customizable_type, properties, undeclared,
      created_at, updated_at, deleted_at)
    select s.new_id, s.table_id, s.user_id, s.external_id, s.name, s.customizable_id, s.customizable_type,
      s.properties, nullif(s.undeclared, '{}'),
      coalesce(s.created_at, s.updated_at, now()), coalesce(s.updated_at, s.created_at, now()), s.deleted_at
    from import_records s
    where s.act = 'added' and ${inRange} order by s.n`,
)

const ADD_USERS = rangeStatement(
  (inRange) => sql`
    insert into ingot.users (
      id, slug, ${join(USER_FILE_COLUMNS.map((column) => identifier(column)))}, properties, undeclared,
      created_at, updated_at, deleted_at)
    select s.new_id, s.slug, ${columnList(sql`s`, USER_FILE_COLUMNS)},
      s.properties, nullif(s.undeclared, '{}'),
      coalesce(s.created_at, s.updated_at, now()), coalesce(s.updated_at, s.created_at, now()), s.deleted_at
    from import_users s
    where s.act = 'added' and ${inRange} order by s.n`,
)

/** Excludes rows that were changed concurrently and are newer now. */
function stillOlder(policy: Policy): Sql {
  return policy === 'keep newer' ? sql` and (s.updated_at is null or r.updated_at <= s.updated_at)` : emptySql
}

/** A row without undeclared properties leaves the stored ones unchanged. */
const UNDECLARED = sql`case when s.undeclared is null then r.undeclared else nullif(s.undeclared, '{}') end`

function changeRecords(policy: Policy): RangeStatement {
  return rangeStatement(
    (inRange) => sql`
      update ingot.records r set user_id = s.user_id, external_id = s.external_id, name = s.name,
        customizable_id = s.customizable_id, customizable_type = s.customizable_type, properties = s.properties,
        undeclared = ${UNDECLARED}, created_at = coalesce(s.created_at, r.created_at),
        updated_at = coalesce(s.updated_at, now()), deleted_at = s.deleted_at
      from import_records s where r.id = s.target and s.act = 'changed' and ${inRange}${stillOlder(policy)}`,
  )
}

function changeUsers(policy: Policy): RangeStatement {
  const fileAssignments = USER_FILE_COLUMNS.map((column) => sql`${identifier(column)} = s.${identifier(column)}`)
  return rangeStatement(
    (inRange) => sql`
      update ingot.users r set slug = coalesce(s.slug, r.slug), ${join(fileAssignments)}, properties = s.properties,
        undeclared = ${UNDECLARED}, created_at = coalesce(s.created_at, r.created_at),
        updated_at = coalesce(s.updated_at, now()), deleted_at = s.deleted_at
      from import_users s where r.id = s.target and s.act = 'changed' and ${inRange}${stillOlder(policy)}`,
  )
}

const MERGE_PROFILES = rangeStatement(
  (inRange) => sql`
    insert into ingot.profiles as r (
      id, user_id, profile_type, properties, undeclared, created_at, updated_at, deleted_at)
    select coalesce(p.id, o.id, nextval('ingot.row_ids')), coalesce(s.target, s.new_id), p.profile_type,
      p.properties, case when p.undeclared is null then o.undeclared else nullif(p.undeclared, '{}') end,
      coalesce(p.created_at, o.created_at, p.updated_at, now()), coalesce(p.updated_at, p.created_at, now()), p.deleted_at
    from import_users s join import_profiles p on p.n = s.n
    left join ingot.profiles o on o.user_id = s.target and o.profile_type = p.profile_type
    where s.act in ('added', 'changed') and ${inRange} order by s.n, p.profile_type
    on conflict (user_id, profile_type) do update set id = excluded.id, properties = excluded.properties,
      undeclared = excluded.undeclared,
      created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at`,
)

// A document that was inserted concurrently is newer and is kept.
const ADD_DOCUMENTS = rangeStatement(
  (inRange) => sql`
    insert into ingot.documents (search_index, id, document, created_at, updated_at)
    select s.search_index, s.id, s.document,
      coalesce(s.created_at, s.updated_at, now()), coalesce(s.updated_at, s.created_at, now())
    from import_documents s
    where s.act = 'added' and ${inRange} order by s.search_index, s.id
    on conflict (search_index, id) do nothing`,
)

function changeDocuments(policy: Policy): RangeStatement {
  return rangeStatement(
    (inRange) => sql`
      update ingot.documents r set document = s.document,
        created_at = coalesce(s.created_at, r.created_at), updated_at = coalesce(s.updated_at, now())
      from import_documents s
      where (r.search_index, r.id) = (s.search_index, s.id) and s.act = 'changed' and ${inRange}${stillOlder(policy)}`,
  )
}

const MERGE_ACTIVITIES = rangeStatement(
  (inRange) => sql`
    insert into ingot.activities as r (id, uuid, payload, created_at, updated_at)
    select case when s.id is null or exists (select from ingot.activities o where o.id = s.id)
        then nextval('ingot.row_ids') else s.id end, s.uuid, s.payload,
      coalesce(s.created_at, s.updated_at, now()), coalesce(s.updated_at, s.created_at, now())
    from import_activities s
    where s.act in ('added', 'changed') and ${inRange} order by s.n
    on conflict (uuid) do update set payload = excluded.payload, created_at = excluded.created_at,
      updated_at = excluded.updated_at`,
)

/**
 * The owners of addresses and attachments. `of` selects the owner rows with the number `n`, the id and the profile
 * type.
 */
const OWNERS = [
  {
    type: 'Record',
    of: sql`(select n, coalesce(target, new_id) as id, null::text as profile from import_records)`,
  },
  {
    type: 'User',
    of: sql`(select n, coalesce(target, new_id) as id, null::text as profile from import_users)`,
  },
  {
    type: 'UserProfile',
    of: sql`(
      select u.n, p.id, p.profile_type as profile from import_users u
      join ingot.profiles p on p.user_id = coalesce(u.target, u.new_id))`,
  },
] as const
type Owner = (typeof OWNERS)[number]

function mergeAddresses({ type, of }: Owner): RangeStatement {
  return rangeStatement(
    (inRange) => sql`
      insert into ingot.addresses as r (owner_type, owner_id, name, fields)
      select ${literal(type)}, s.id, o.name, o.value from ${of} s
      join import_owned o on o.n = s.n and o.profile is not distinct from s.profile
      where o.kind = 'address' and ${inRange}
      on conflict (owner_type, owner_id, name) do update set fields = excluded.fields, updated_at = now()
        where r.fields <> excluded.fields`,
  )
}

function mergeAttachments({ type, of }: Owner): RangeStatement {
  return rangeStatement(
    (inRange) => sql`
      insert into ingot.attachments as r (kind, owner_type, owner_id, name, file)
      select o.kind, ${literal(type)}, s.id, o.name, o.value from ${of} s
      join import_owned o on o.n = s.n and o.profile is not distinct from s.profile
      where o.kind in ('image', 'attachment') and ${inRange}
      on conflict (kind, owner_type, owner_id, name) do update set file = excluded.file, updated_at = now()
        where r.file <> excluded.file`,
  )
}
