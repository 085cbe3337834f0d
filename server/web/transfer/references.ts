/** Resolves the references of staged rows to rows of the same import or of the database. */
import { identifier, integer, literal, emptySql, type Sql as SqlText, sql } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'
import { FETCH_SIZE, reject, type RejectedRow, type SettleContext } from './settle.ts'
import { NO_TABLE, type StagingTable } from './stage.ts'

/** Resolves references, rejects rows with unresolved required references, and writes the ids. */
export async function resolveReferences(context: SettleContext): Promise<void> {
  const { client } = context
  const [any] = await sendOnce(client, sql`select 1 from import_references limit 1`)
  if (any === undefined) return
  // Separate tables are needed, because an index on updated rows can only be used by later transactions.
  await sendOnce(
    client,
    sql`
      create index on import_references (n, k);
      create temporary table import_named_records on commit drop as
        select n, table_id, alias, external_id, deleted_at is not null as deleted, coalesce(target, new_id) as id
        from import_records where alias is not null or external_id is not null;
      create index on import_named_records (external_id, table_id) where external_id is not null;
      create index on import_named_records (alias, table_id) where alias is not null;
      create temporary table import_named_users on commit drop as
        select n, alias, external_id, lower(email) as email, deleted_at is not null as deleted, coalesce(target, new_id) as id
        from import_users;
      create index on import_named_users (external_id) where external_id is not null;
      create index on import_named_users (alias) where alias is not null;
      create index on import_named_users (email);
      analyze import_named_records, import_named_users`,
  )
  let missingCount = 0
  // Repeated, because rows may refer to rejected rows.
  do missingCount = await rejectMissing(context)
  while (missingCount > 0)
  await dropOptional(context)
  const [{ most } = { most: null }] = await sendOnce<{ most: number | null }[]>(
    client,
    sql`select max(k) as most from import_references`,
  )
  for (let k = 0; most !== null && k <= most; k++)
    for (const kind of REFERRING_KINDS) await sendOnce(client, writeResolved(kind, k))
}

/** Warns about optional references to missing rows and leaves their values unchanged. */
async function dropOptional(context: SettleContext): Promise<void> {
  for (const kind of REFERRING_KINDS) {
    const rows = sendOnce<RejectedRow[]>(
      context.client,
      sql`
        with gone as (
          delete from import_references f using ${identifier(stagingTable(kind))} s
          where f.kind = ${literal(kind)} and f.n = s.n and f.found is null
          returning s.n, s.file, s.line, s."row",
            ${kind === 'record' ? sql`s.table_id` : sql`null::integer`} as table_id, null::text as search_index,
            coalesce(f.property, f.into_column) as property, 'there is no row that ''' || f.key || ''' names' as reason
        ) select * from gone order by n`,
    )
    await rows.cursor(FETCH_SIZE, (batch) => {
      for (const { property, reason, ...at } of batch)
        context.warn({ location: context.stage.locationOf(at), property, reason })
    })
  }
}

/** The kinds of rows that contain references. */
const REFERRING_KINDS = ['record', 'user'] as const
type Referring = (typeof REFERRING_KINDS)[number]

const stagingTable = (kind: Referring): StagingTable => `import_${kind}s`

/**
 * Resolves references and rejects rows with missing required references.
 * @returns the number of rejected rows
 */
async function rejectMissing(context: SettleContext): Promise<number> {
  await sendOnce(context.client, RESOLVE)
  let missingCount = 0
  for (const kind of REFERRING_KINDS)
    missingCount += await reject(context, stagingTable(kind), {
      property: sql`bad.property`,
      reason: sql`bad.reason`,
      bad: sql`
        select distinct on (n) n, coalesce(property, into_column) as property,
          case when table_id is null then 'there is no user ''' || key || ''''
          else 'there is no row of table ''' || t.name || ''' with the external_id ''' || key || '''' end as reason
        from import_references left join import_tables t using (table_id)
        where kind = ${literal(kind)} and found is null and needed order by n, k`,
    })
  await sendOnce(
    context.client,
    sql`
      delete from import_references r where (found is null and needed)
        or (kind = 'record' and not exists (select from import_records s where s.n = r.n))
        or (kind = 'user' and not exists (select from import_users s where s.n = r.n))`,
  )
  if (missingCount > 0)
    await sendOnce(
      context.client,
      sql`
        delete from import_named_records k where not exists (select from import_records s where s.n = k.n);
        delete from import_named_users k where not exists (select from import_users s where s.n = k.n)`,
    )
  return missingCount
}

// Resolves references in the order of preference: rows of the same import, existing rows, then deleted rows; the oldest
// first. Each part is one index lookup.
const RESOLVE = sql`
  update import_references f set found = coalesce(
    (select s.id from import_named_records s
     where s.table_id = f.table_id and s.alias = f.key order by s.n limit 1),
    (select s.id from import_named_records s
     where f.table_id = ${integer(NO_TABLE)} and s.alias = f.key order by s.n limit 1),
    (select s.id from import_named_users s where f.table_id is null and s.alias = f.key order by s.n limit 1),
    (select s.id from import_named_records s
     where s.table_id = f.table_id and s.external_id = f.key order by s.deleted, s.n limit 1),
    (select r.id from ingot.records r
     where r.table_id = f.table_id and r.external_id = f.key order by (r.deleted_at is not null), r.id limit 1),
    (select s.id from import_named_records s
     where f.table_id = ${integer(NO_TABLE)} and s.external_id = f.key order by s.deleted, s.n limit 1),
    (select r.id from import_tables t join ingot.records r on r.table_id = t.table_id and r.external_id = f.key
     where f.table_id = ${integer(NO_TABLE)} and t.table_id > 0 order by (r.deleted_at is not null), r.id limit 1),
    (select s.id from import_named_users s where f.table_id is null and s.external_id = f.key),
    (select r.id from ingot.users r where f.table_id is null and r.external_id = f.key),
    (select s.id from import_named_users s where f.table_id is null and s.email = lower(f.key) and not s.deleted),
    (select r.id from ingot.users r where f.table_id is null and lower(r.email) = lower(f.key) and r.deleted_at is null))`

/** Writes the ids of the `k`th references of all rows. */
function writeResolved(kind: Referring, k: number): SqlText {
  const value = sql`case when f.number then to_jsonb(f.found) else to_jsonb(f.found::text) end`
  const path = sql`case when f.item is null then array[f.property] else array[f.property, f.item::text] end`
  const set = (column: string): SqlText => {
    const columnName = identifier(column)
    return sql`${columnName} = case when f.into_column = ${literal(column)} then f.found else s.${columnName} end, `
  }
  const owner = kind === 'record' ? sql`${set('user_id')}${set('customizable_id')}` : emptySql
  return sql`
    update ${identifier(stagingTable(kind))} s set ${owner}properties = case when f.property is null then s.properties
      else jsonb_set(s.properties, ${path}, ${value}) end
    from import_references f where f.kind = ${literal(kind)} and f.n = s.n and f.k = ${k}::integer`
}
