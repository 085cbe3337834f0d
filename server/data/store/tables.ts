/**
 * Applies the site's table files to the database: registers tables and properties, and converts values whose type has
 * changed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ISql, Sql, TransactionSql } from 'postgres'
import { identifier, join, literal, type Sql as SqlText, sql as statement } from '../../../runtime/data/sql/sql.ts'
import type { DataSchema, PropertyDef, PropertyType } from '../../../runtime/page/compiled.ts'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { shellWord } from '../../../runtime/data/shell-word.ts'
import { StartError } from '../../core/start-error.ts'
import {
  checkConversions,
  type Conversion,
  conversionKey,
  convertLocked,
  convertOnline,
  isOnline,
  type Rows,
  undoConversion,
} from './convert.ts'
import {
  addMissing,
  idsIfApplied,
  idsIfKnown,
  idsIfUnchanged,
  type KnownSchema,
  type KnownTable,
  type PropertyTypes,
  readKnownSchema,
  registerAll,
  schemaDigest,
} from './known-schema.ts'
import { LOCKS } from './locks.ts'
import { sendOnce } from './send.ts'

/** Milliseconds between two attempts to take the lock. */
const LOCK_INTERVAL = 50

/**
 * Registers tables and properties, and converts the values of properties whose type has changed. All values are checked
 * first. Then they are converted in batches, while other processes read and write; the declarations are registered at
 * the end. An interrupted conversion is continued, or undone, by the next call. Other servers that apply their
 * declarations concurrently wait.
 * @param report receives a sentence about each converted property
 * @returns the numbers of the declared tables by name
 * @throws StartError that lists the values that cannot be converted and the removed tables that still have rows;
 * nothing is changed then
 */
export async function applySchema(
  sql: Sql,
  data: DataSchema,
  removed: RemovedTables = 'empty',
  report: (sentence: string) => void = () => undefined,
): Promise<ReadonlyMap<string, number>> {
  const digest = schemaDigest(data)
  const unchangedIds = await idsIfApplied(sql, digest)
  if (unchangedIds !== null) return unchangedIds
  return sql.begin(async (transaction) => {
    // The transaction only holds the lock while values are converted, which may take minutes.
    await transaction`set local idle_in_transaction_session_timeout = 0`
    await waitForLock(transaction)
    const ids = await idsIfApplied(transaction, digest)
    return ids ?? convertAndRegister({ sql, transaction, data, digest, removed, report })
  })
}

/** Waits for the lock of migrations. A waiting statement would hold a snapshot, which index builds would wait for. */
async function waitForLock(transaction: ISql): Promise<void> {
  for (;;) {
    const [row] = await transaction<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.migrate}) as locked`
    if (row?.locked === true) return
    await sleep(LOCK_INTERVAL)
  }
}

/**
 * What happens to a table whose file was removed. `empty`: it must have no rows. `kept`: its rows stay in the database, but nothing reads
 * them
 * until the file is back.
 */
type RemovedTables = 'empty' | 'kept'

/**
 * Registers only the tables and properties that the database lacks. Everything else is left to `applySchema`. While two releases of a site
 * run
 * together, both find their tables. Values of a property whose type they declare differently stay in the form of the earlier type.
 * @returns the numbers of the declared tables by name
 * @throws StartError as in `applySchema`, for a database without any declaration
 */
export async function addSchema(sql: Sql, data: DataSchema): Promise<ReadonlyMap<string, number>> {
  const digest = schemaDigest(data)
  const before = (await idsIfUnchanged(sql, digest)) ?? (await idsIfKnown(sql, data))
  if (before !== null) return before
  return sql.begin(async (transaction) => {
    await waitForLock(transaction)
    const [declared] = await transaction`select from ingot.declared`
    const knownSchema = await readKnownSchema(transaction)
    if (declared === undefined) return registerAll(transaction, data, digest, knownSchema)
    await addMissing(transaction, data, knownSchema)
    return (await idsIfKnown(transaction, data)) ?? new Map()
  })
}

/** The changes that `applySchema` would make. */
export interface SchemaPlan {
  /** Tables that the database does not know. */
  readonly created: readonly string[]
  /** Removed tables that are declared again, with the number of their remaining rows. */
  readonly revived: readonly CountedTable[]
  /** Tables whose file was removed, with the number of their rows. */
  readonly removedTables: readonly CountedTable[]
  readonly converted: readonly PlannedConversion[]
  /** Sentences about the values that cannot be converted. */
  readonly problems: readonly string[]
}

export interface CountedTable {
  readonly name: string
  readonly rows: number
}

interface PlannedConversion {
  /** The file that declares the property. */
  readonly owner: string
  readonly property: string
  /** Null for values that were written before the property was declared. */
  readonly from: PropertyType | null
  readonly to: PropertyType
  /** Rows with a value. */
  readonly rows: number
}

/** Returns the changes that `applySchema` would make, without making them. Writers are not blocked, so the numbers may change. */
export async function planSchema(sql: Sql, data: DataSchema): Promise<SchemaPlan> {
  const knownSchema = await readKnownSchema(sql)
  const wanted = [...typeChanges(data, knownSchema), ...(await newlyDeclared(sql, data, knownSchema))]
  const checked = await checkConversions(sql, wanted)
  const declared = new Set(data.tables.map(({ name }) => name))
  const tables = [...knownSchema.tables.values()]
  return {
    created: [...declared].filter((name) => !knownSchema.tables.has(name)),
    revived: await countRows(
      sql,
      tables.filter(({ name, isRemoved }) => isRemoved && declared.has(name)),
      'all',
    ),
    removedTables: await countRows(
      sql,
      tables.filter(({ name, isRemoved }) => !isRemoved && !declared.has(name)),
      'alive',
    ),
    converted: wanted.map(({ owner, from, property }, at) => ({
      owner,
      property: property.name,
      from,
      to: property.type,
      rows: checked[at]?.count ?? 0,
    })),
    problems: checked.flatMap(({ problem }) => problem ?? []),
  }
}

async function countRows(
  sql: ISql,
  tables: readonly KnownTable[],
  which: 'all' | 'alive',
): Promise<readonly CountedTable[]> {
  if (tables.length === 0) return []
  const counts = await sql<{ id: number; count: string }[]>`
    select table_id as id, count(*) as count from ingot.records
    where table_id in ${sql(tables.map(({ id }) => id))} ${which === 'alive' ? sql`and deleted_at is null` : sql``}
    group by table_id`
  const byId = new Map(counts.map(({ id, count }) => [Number(id), Number(count)]))
  return tables.map(({ id, name }) => ({ name, rows: byId.get(id) ?? 0 }))
}

interface Application {
  /** A client with at least two connections: values are converted outside of the transaction. */
  readonly sql: Sql
  /** The transaction that holds the lock. */
  readonly transaction: TransactionSql
  readonly data: DataSchema
  readonly digest: string
  readonly removed: RemovedTables
  /** Receives a sentence about each converted property. */
  readonly report: (sentence: string) => void
}

/**
 * Checks all values, converts them, and then registers the declarations. Other processes read and write the rows
 * meanwhile.
 */
async function convertAndRegister({
  sql,
  transaction,
  data,
  digest,
  removed,
  report,
}: Application): Promise<ReadonlyMap<string, number>> {
  const knownSchema = await readKnownSchema(transaction)
  await undoConversions(sql, data, knownSchema)
  const wanted = [...typeChanges(data, knownSchema), ...(await newlyDeclared(transaction, data, knownSchema))]
  const removedTables = [...knownSchema.tables.values()].filter(
    ({ name, isRemoved }) => !isRemoved && data.tables.every((table) => table.name !== name),
  )
  const checkRemoved = async (): Promise<readonly string[]> =>
    removed === 'kept' ? [] : removedTableProblems(transaction, removedTables)
  const refuseFor = (problems: readonly string[], state: string): void => {
    if (problems.length === 0) return
    const list = problems.map((problem) => `\n  - ${problem}`).join('')
    throw new StartError(`The database cannot be adapted to the table files, ${state}:${list}`)
  }
  const checked = await checkConversions(transaction, wanted)
  refuseFor([...(await checkRemoved()), ...checked.flatMap(({ problem }) => problem ?? [])], 'and was not changed')
  const online = wanted.filter(isOnline)
  const locked = wanted.filter((conversion) => !online.includes(conversion))
  if (online.length > 0) {
    const types = Object.fromEntries(online.map((conversion) => [conversionKey(conversion), conversion.property.type]))
    await sql`update ingot.declared set converting = converting || ${JSON.stringify(types)}::text::jsonb`
    refuseFor(
      await convertOnline(sql, online),
      'because another process has written values meanwhile. The other values are converted already; another start continues, and the earlier table files restore them',
    )
  }
  if (locked.length > 0 || removedTables.length > 0) {
    // Writers are blocked, so that exactly the counted rows are changed. Readers are not blocked.
    await transaction`lock table ingot.records, ingot.users, ingot.profiles in share row exclusive mode`
    refuseFor(await checkRemoved(), 'because another process has written rows meanwhile')
    refuseFor(await convertLocked(transaction, locked), 'because another process has written values meanwhile')
  }
  for (const [at, { owner, from, property }] of wanted.entries()) {
    const count = checked[at]?.count ?? 0
    const change = from === null ? `to ${property.type}` : `from ${from} to ${property.type}`
    report(`Converted ${count} value${count === 1 ? '' : 's'} of \`${property.name}\` (${owner}) ${change}.`)
  }
  if (online.length > 0) await transaction`truncate ingot.converted_values`
  return registerAll(transaction, data, digest, knownSchema)
}

/** Undoes the interrupted conversions to types that the table files do not declare. */
async function undoConversions(sql: Sql, data: DataSchema, { tables, converting }: KnownSchema): Promise<void> {
  const wanted = new Map(
    [
      ...data.tables.flatMap(({ name, properties }) => {
        const table = tables.get(name)?.id
        return table === undefined ? [] : [{ rows: { kind: 'records', table } as const, properties }]
      }),
      { rows: { kind: 'users' } as const, properties: data.user },
      ...data.profiles.map(({ name, properties }) => ({ rows: { kind: 'profiles', type: name } as const, properties })),
    ].flatMap(({ rows, properties }) =>
      properties
        .filter(({ column }) => column !== true)
        .map((property) => [conversionKey({ rows, property }), property.type]),
    ),
  )
  for (const [key, type] of Object.entries(converting)) {
    if (wanted.get(key) === type) continue
    await undoConversion(sql, key)
    await sql`update ingot.declared set converting = converting - ${key}::text`
  }
}

/** Columns that are never filled from a property of their name, because that would change the identity of rows or delete them. */
const NEVER_FILLED: ReadonlySet<string> = new Set(['id', 'deleted_at'])

/** The properties whose type differs from their stored values, and those that have become columns. */
function typeChanges(data: DataSchema, knownSchema: KnownSchema): readonly Conversion[] {
  const changesOf = (
    rows: Rows,
    owner: string,
    before: PropertyTypes,
    now: readonly PropertyDef[],
  ): readonly Conversion[] =>
    now.flatMap((property) => {
      const from = typeIn(before, property.name)
      if (from === null || (property.column === true && NEVER_FILLED.has(property.name))) return []
      return from === property.type && property.column !== true ? [] : [{ rows, owner, from, property }]
    })
  return [
    ...data.tables.flatMap(({ name, file, properties }) => {
      const table = knownSchema.tables.get(name)
      return table === undefined ? [] : changesOf({ kind: 'records', table: table.id }, file, table.types, properties)
    }),
    ...changesOf({ kind: 'users' }, 'user.yml', knownSchema.user, data.user),
    ...data.profiles.flatMap(({ name, file, properties }) =>
      changesOf({ kind: 'profiles', type: name }, file, knownSchema.profiles[name] ?? {}, properties),
    ),
  ]
}

/** The declared properties that have values from before their declaration. */
async function newlyDeclared(sql: ISql, data: DataSchema, knownSchema: KnownSchema): Promise<readonly Conversion[]> {
  const keysOf = (owner: SqlText, rows: Rows['kind']): SqlText => statement`
    select distinct ${literal(rows)} as rows, ${owner} as owner, k as name
    from ingot.${identifier(rows)}, jsonb_object_keys(undeclared) k where undeclared is not null`
  const keys = [
    keysOf(statement`table_id::text`, 'records'),
    keysOf(statement`''`, 'users'),
    keysOf(statement`profile_type`, 'profiles'),
  ]
  const stored = await sendOnce<{ rows: Rows['kind']; owner: string; name: string }[]>(sql, join(keys, ' union all '))
  if (stored.length === 0) return []
  const names = new Set(stored.map(({ rows, owner, name }) => JSON.stringify([rows, owner, name])))
  const changesOf = (
    rows: Rows,
    key: string,
    owner: string,
    properties: readonly PropertyDef[],
  ): readonly Conversion[] =>
    properties
      .filter(({ name, column }) => !(column === true && NEVER_FILLED.has(name)))
      .filter(({ name }) => names.has(JSON.stringify([rows.kind, key, name])))
      .map((property) => ({ rows, owner, from: null, property }))
  return [
    ...data.tables.flatMap(({ name, file, properties }) => {
      const id = knownSchema.tables.get(name)?.id
      return id === undefined ? [] : changesOf({ kind: 'records', table: id }, `${id}`, file, properties)
    }),
    ...changesOf({ kind: 'users' }, '', 'user.yml', data.user),
    ...data.profiles.flatMap(({ name, file, properties }) =>
      changesOf({ kind: 'profiles', type: name }, name, file, properties),
    ),
  ]
}

function typeIn(types: PropertyTypes, name: string): PropertyType | null {
  return Object.hasOwn(types, name) ? (types[name] ?? null) : null
}

async function removedTableProblems(sql: ISql, removedTables: readonly KnownTable[]): Promise<readonly string[]> {
  const command = (name: string): string => `with \`ingot data delete ${shellWord(name)}\` in the folder of the site`
  return removedTableSentences(await countRows(sql, removedTables, 'alive'), command)
}

/**
 * Returns a sentence about each table without a file that still has rows.
 * @param remedy returns how to delete the rows of a table
 */
export function removedTableSentences(
  removedTables: readonly CountedTable[],
  remedy: (table: string) => string,
): readonly string[] {
  return removedTables
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, rows }) =>
        `the table \`${name}\` has no file anymore but still has ${rows} row${rows === 1 ? '' : 's'}: restore the file, or first delete the rows ${remedy(name)}`,
    )
}

/**
 * Soft-deletes the rows of a table, as the mutation `records_delete_all` does. The table may lack a file.
 * @returns the number of the deleted rows
 * @throws StartError when the database has no such table
 */
export async function deleteRows(sql: Sql, name: string): Promise<number> {
  const tables = await sql<{ id: number; name: string }[]>`
    select id, name from ingot.tables where removed_at is null order by name`
  const table = tables.find((each) => each.name === name)
  if (table === undefined) {
    const names = tables.map((each) => each.name)
    const similarName = nearest(name, names)
    const hint = similarName === null ? `it has ${names.join(', ') || 'no tables'}.` : `did you mean '${similarName}'?`
    throw new StartError(`The database has no table '${name}': ${hint}`)
  }
  const deleted = await sql`
    update ingot.records set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where table_id = ${table.id} and deleted_at is null`
  return deleted.count
}
