/**
 * What only the database knows about staged rows, found set by set: which row of the database each stands for, which of them
 * get in each other's way, the ids of new rows, and what references mean. Rows that do not fit leave the staging tables.
 */
import type { Sql, TransactionSql } from 'postgres'
import type { RowError } from './rows.ts'
import type { StagingTables } from './stage.ts'

export interface SettleContext {
  readonly sql: TransactionSql
  readonly stage: StagingTables
  report(fault: RowError): void
}

/** Finds targets and takes out what does not fit. New ids are not given yet. */
export async function settleTargets(to: SettleContext): Promise<void> {
  await to.sql.unsafe('analyze import_records, import_users, import_profiles, import_documents, import_references')
  await settleRecords(to)
  await settleUsers(to)
  await reject(
    to,
    'import_documents',
    `'id'`,
    `'id ''' || s.id || ''' is given twice: first in line ' || bad.first`,
    twice('(search_index, id)', 'import_documents'),
  )
}

async function settleRecords(to: SettleContext): Promise<void> {
  await rejectRecords(
    to,
    'id',
    `'id ' || s.id || ' is given twice: first in line ' || bad.first`,
    twice('id', 'import_records'),
  )
  // An export may hold several rows of one external id; a row that is known by it alone may not be one of them.
  await rejectRecords(
    to,
    'external_id',
    `'external_id ''' || s.external_id || ''' is given twice: first in line ' || bad.first`,
    `select n, first from (
       select n, id, row_number() over same as nth, first_value(line) over same as first
       from import_records where external_id <> '' window same as (partition by table_id, external_id order by (id is null), n)
     ) numbered where nth > 1 and id is null`,
  )
  await rejectRecords(
    to,
    'id',
    `'id ' || s.id || ' is a row of another table'`,
    `select s.n, 0 as first from import_records s join ingot.records r on r.id = s.id where r.table_id <> s.table_id`,
  )
  await to.sql.unsafe('update import_records s set target = r.id from ingot.records r where r.id = s.id')
  await rejectRecords(
    to,
    'external_id',
    `bad.first || ' rows have the external_id ''' || s.external_id || ''': give the id'`,
    `select s.n, count(*) as first from import_records s
     join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id and r.deleted_at is null
     where s.id is null and s.external_id <> '' group by s.n having count(*) > 1`,
  )
  await to.sql.unsafe(`
    update import_records s set target = known.id from (
      select distinct on (s.n) s.n, r.id from import_records s
      join ingot.records r on r.table_id = s.table_id and r.external_id = s.external_id
      where s.id is null and s.external_id <> '' order by s.n, (r.deleted_at is not null), r.id
    ) known where known.n = s.n`)
  await rejectRecords(
    to,
    'external_id',
    `'it stands for the row of id ' || s.target || ', as line ' || bad.first || ' does'`,
    twice('target', 'import_records', '(id is null), n'),
  )
}

async function settleUsers(to: SettleContext): Promise<void> {
  for (const [column, key, shown, alive] of [
    ['id', 'id', 's.id::text', 'true'],
    ['external_id', 'external_id', 's.external_id', 'true'],
    ['email', 'lower(email)', 's.email', 'deleted_at is null'],
    ['slug', 'slug', 's.slug', 'deleted_at is null'],
  ] as const) {
    await rejectUsers(
      to,
      column,
      `'${column} ''' || ${shown} || ''' is given twice: first in line ' || bad.first`,
      twice(key, 'import_users', 'n', alive),
    )
  }
  await to.sql.unsafe('update import_users s set target = r.id from ingot.users r where r.id = s.id')
  await to.sql.unsafe(`
    update import_users s set target = r.id from ingot.users r
    where s.id is null and r.external_id = s.external_id`)
  await to.sql.unsafe(`
    update import_users s set target = r.id from ingot.users r
    where s.id is null and s.target is null and lower(r.email) = lower(s.email) and r.deleted_at is null`)
  await rejectUsers(
    to,
    'id',
    `'it stands for the user of id ' || s.target || ', as line ' || bad.first || ' does'`,
    twice('target', 'import_users', '(id is null), n'),
  )
  // Also where that other user gets another value by this very import: unique indexes look at each row as it is written.
  for (const [column, same] of [
    ['email', 'lower(r.email) = lower(s.email) and r.deleted_at is null and s.deleted_at is null'],
    ['slug', 'r.slug = s.slug and r.deleted_at is null and s.deleted_at is null'],
    ['external_id', 'r.external_id = s.external_id'],
  ] as const) {
    await rejectUsers(
      to,
      column,
      `'the user of id ' || bad.first || ' has the ${column} ''' || s.${column} || ''''`,
      `select s.n, min(r.id) as first from import_users s join ingot.users r on ${same}
       where r.id is distinct from s.target group by s.n`,
    )
  }
  await rejectUsers(
    to,
    'profiles',
    `'a profile''s id ' || bad.first || ' is taken'`,
    `select p.n, min(p.id) as first from import_profiles p join import_users s on s.n = p.n
     left join ingot.profiles r on r.id = p.id
     left join import_profiles other on other.id = p.id and (other.n, other.profile_type) <> (p.n, p.profile_type)
     where other.n is not null or (r.id is not null and (r.user_id, r.profile_type) is distinct from (s.target, p.profile_type))
     group by p.n`,
  )
}

/** Rows after the first of those that share a key. */
function twice(key: string, table: string, order = 'n', where = 'true'): string {
  return `select n, first from (
    select n, row_number() over same as nth, first_value(line) over same as first
    from ${table} where ${key} is not null and ${where} window same as (partition by ${key} order by ${order})
  ) numbered where nth > 1`
}

/**
 * Gives ids to new rows, and moves the sequences behind the greatest ones that the file brings.
 * @param outside a connection beside the transaction: a sequence is held for a moment only, not until the import ends
 */
export async function giveIds(sql: TransactionSql, outside: Sql): Promise<void> {
  const [greatest] = await sql.unsafe<Record<'users' | 'records' | 'profiles', string | null>[]>(`
    select (select max(id) from import_users)::text as users,
      (select max(greatest(id, 0)) from import_records)::text as records,
      (select max(id) from import_profiles)::text as profiles`)
  if (greatest?.users) await moveSequence(outside, 'ingot.user_ids', greatest.users)
  if (greatest?.records) await moveSequence(outside, 'ingot.ids', greatest.records)
  if (greatest?.profiles) await moveSequence(outside, 'ingot.row_ids', greatest.profiles)
  for (const [table, sequence] of [
    ['import_users', 'ingot.user_ids'],
    ['import_records', 'ingot.ids'],
  ] as const)
    await sql.unsafe(`
      update ${table} s set new_id = given.id from (
        select n, coalesce(id, nextval('${sequence}')) as id from (select n, id from ${table} where target is null order by n) fresh
      ) given where given.n = s.n`)
}

type Sequence = 'ingot.ids' | 'ingot.user_ids' | 'ingot.row_ids'

/** A trial needs ids too, and must not use any up. */
export async function giveTrialIds(sql: TransactionSql): Promise<void> {
  for (const table of ['import_users', 'import_records'])
    await sql.unsafe(`update ${table} set new_id = coalesce(id, -n) where target is null`)
}

async function moveSequence(outside: Sql, sequence: Sequence, greatest: string): Promise<void> {
  await outside.begin(async (sql) => {
    const [{ behind } = { behind: false }] = await sql.unsafe<{ behind: boolean }[]>(
      `select last_value <= $1::text::bigint as behind from ${sequence}`,
      [greatest],
    )
    if (!behind) return
    // Holds the sequence against `nextval` of others, which could otherwise come between reading and setting it.
    await sql.unsafe(`alter sequence ${sequence} no cycle`)
    await sql.unsafe(`select setval('${sequence}', greatest(last_value, $1::text::bigint)) from ${sequence}`, [
      greatest,
    ])
  })
}

/** Slugs of new users that the file gives none, as `user_create` makes them: with the id where another user has it. */
export async function giveSlugs(sql: TransactionSql): Promise<void> {
  await sql.unsafe(`
    update import_users s set slug = case when taken then slug_base || '-' || s.new_id else slug_base end
    from (
      select n, count(*) over (partition by slug_base) > 1
        or exists (select from ingot.users r where r.slug = f.slug_base and r.deleted_at is null)
        or exists (select from import_users o where o.slug = f.slug_base) as taken
      from import_users f where target is null and slug is null
    ) named where named.n = s.n`)
}

/** Finds what references mean, takes out rows that refer to nothing, and writes the ids in their places. */
export async function settleReferences(to: SettleContext): Promise<void> {
  const { sql } = to
  const [any] = await sql.unsafe('select 1 from import_references limit 1')
  if (any === undefined) return
  await sql.unsafe(`
    create index on import_records (table_id, external_id) where external_id is not null;
    create index on import_users (external_id);
    create index on import_users (lower(email));
    create index on import_references (n, k)`)
  let missing = 0
  do {
    // Again after each round: what refers to a row that was taken out refers to nothing.
    await sql.unsafe(FIND)
    missing = 0
    for (const kind of ['record', 'user'] as const)
      missing += await reject(
        to,
        `import_${kind}s`,
        `bad.property`,
        `bad.reason`,
        `select distinct on (n) n, coalesce(property, 'user_id') as property,
           case when table_id is null then 'there is no user ''' || key || ''''
           else 'there is no row of table ''' || t.name || ''' with the external_id ''' || key || '''' end as reason
         from import_references left join import_tables t using (table_id)
         where kind = '${kind}' and found is null order by n, k`,
      )
    await sql.unsafe(`
      delete from import_references r where found is null
        or (kind = 'record' and not exists (select from import_records s where s.n = r.n))
        or (kind = 'user' and not exists (select from import_users s where s.n = r.n))`)
  } while (missing > 0)
  const [{ most } = { most: null }] = await sql.unsafe<{ most: number | null }[]>(
    'select max(k) as most from import_references',
  )
  for (let k = 0; most !== null && k <= most; k++)
    for (const kind of ['record', 'user'] as const) await sql.unsafe(written(kind), [k])
}

// Nearest first: what the same import brings, what is alive, the oldest. Each part is one look into an index.
const FIND = `
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

function written(kind: 'record' | 'user'): string {
  const value = 'case when f.number then to_jsonb(f.found) else to_jsonb(f.found::text) end'
  const path = `case when f.item is null then array[f.property] else array[f.property, f.item::text] end`
  const owner = kind === 'record' ? 'user_id = case when f.property is null then f.found else s.user_id end, ' : ''
  return `
    update import_${kind}s s set ${owner}properties = case when f.property is null then s.properties
      else jsonb_set(s.properties, ${path}, ${value}) end
    from import_references f where f.kind = '${kind}' and f.n = s.n and f.k = $1::integer`
}

function rejectRecords(to: SettleContext, property: string, reason: string, bad: string): Promise<number> {
  return reject(to, 'import_records', `'${property}'`, reason, bad)
}

function rejectUsers(to: SettleContext, property: string, reason: string, bad: string): Promise<number> {
  return reject(to, 'import_users', `'${property}'`, reason, bad)
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

/** Takes out the rows `bad` (their `n`) and reports them; gives their number. The texts are SQL over `s` and `bad`. */
async function reject(
  to: SettleContext,
  table: string,
  property: string,
  reason: string,
  bad: string,
): Promise<number> {
  const of = (named: string, column: string, type: string): string =>
    `${table === named ? `s.${column}` : `null::${type}`} as ${column}`
  const owner = `${of('import_records', 'table_id', 'integer')}, ${of('import_documents', 'search_index', 'text')}`
  const rows = to.sql.unsafe<RejectedRow[]>(`
    with gone as (
      delete from ${table} s using (${bad}) bad where bad.n = s.n
      returning s.n, s.file, s.line, s."row", ${owner}, ${property} as property, ${reason} as reason
    ) select * from gone order by n`)
  let count = 0
  // A file of nothing but duplicates must not come into memory as a whole.
  await rows.cursor(1000, (some) => {
    for (const { property: name, reason: why, ...at } of some) {
      to.report({ place: to.stage.place(at), property: name, reason: why })
      count++
    }
  })
  return count
}
