/**
 * Converts the stored values of a property whose declared type has changed, that is newly declared, or that is now a
 * column of its record. Values that cannot be converted are reported.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ISql, Sql } from 'postgres'
import * as z from 'zod'
import { identifier, parameter, type Sql as SqlText, sql as statement } from '../../../runtime/data/sql/sql.ts'
import type { PropertyDef, PropertyType } from '../../../runtime/page/compiled.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import { type ColumnKind, columnText } from '../../../runtime/data/query/writes/columns.ts'
import { storedText } from '../../../runtime/data/query/writes/stored-values.ts'
import { sendOnce } from './send.ts'

/** The rows that have the property. */
export type Rows =
  | { readonly kind: 'records'; readonly table: number }
  | { readonly kind: 'users' }
  | { readonly kind: 'profiles'; readonly type: string }

export interface Conversion {
  readonly rows: Rows
  /** The file that declares the property. */
  readonly owner: string
  /** The previous type; null for values that were written before the property was declared. */
  readonly from: PropertyType | null
  /** The present declaration. */
  readonly property: PropertyDef
}

/**
 * The conversions that the language defines, by previous type, and the way back from an array. Decimals convert to the same
 * types as floats, and arrays of at most one item convert to scalars.
 */
const ALLOWED_CONVERSIONS: Partial<Record<PropertyType, readonly PropertyType[]>> = {
  integer: ['string', 'float', 'decimal', 'array'],
  float: ['string', 'decimal', 'array'],
  decimal: ['string', 'float', 'array'],
  string: ['integer', 'float', 'decimal', 'boolean', 'array'],
  boolean: ['string', 'array'],
  array: ['string', 'integer', 'float', 'decimal', 'boolean'],
}

/** Number of rows that are read together, and of rows that are converted by one statement. */
const READ_SIZE = 5_000
const CONVERT_SIZE = 500
/** Number of rows that a report names. */
const MAX_SHOWN = 3
/**
 * Maximum number of passes over the rows of a property. A later pass converts what servers of an earlier release have
 * written during the pass before. While such servers write, no number of passes would be enough.
 */
const MAX_PASSES = 4
/** Milliseconds between two looks at transactions that are waited for. */
const POLL_INTERVAL = 50

/** The values of one property, read before or while they are converted. */
export interface CheckedConversion {
  /** Rows with a value. */
  readonly count: number
  /** A sentence about the values that cannot be converted; null when all can. */
  readonly problem: string | null
}

/** Tries to convert the values of all rows. Changes nothing. */
export async function checkConversions(
  sql: ISql,
  conversions: readonly Conversion[],
): Promise<readonly CheckedConversion[]> {
  const checked: CheckedConversion[] = []
  for (const conversion of conversions) checked.push(await walkValues(sql, conversion, READ_SIZE, null))
  return checked
}

/**
 * Returns whether the values of a conversion are converted while others write. The other conversions are few values, and
 * an earlier release would not find them at their new place.
 */
export function isOnline({ from, property }: Conversion): boolean {
  return from !== null && property.column !== true
}

/** The name of a conversion in the database. */
export function conversionKey({ rows, property }: Pick<Conversion, 'rows' | 'property'>): string {
  const owner = rows.kind === 'records' ? rows.table : rows.kind === 'profiles' ? rows.type : null
  return JSON.stringify([rows.kind, owner, property.name])
}

/**
 * Converts the values of all rows while other processes read and write them. Every statement converts a few rows, keeps
 * their earlier values in `ingot.converted_values`, and waits for no locked row, so writers are held up for milliseconds.
 * A conversion that was interrupted can be repeated, or undone by `undoConversion`.
 * @param sql a client, because every statement is a transaction
 * @returns one sentence for each property with values that cannot be converted, because they were written after the
 * check; the other values are converted
 */
export async function convertOnline(sql: Sql, conversions: readonly Conversion[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const conversion of conversions) {
    let problem: string | null = null
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      // Transactions that are open now may contain rows that this process does not see yet.
      if (pass === 1) await waitForWriters(sql, conversion.rows)
      let isComplete = pass > 0
      const walked = await walkValues(sql, conversion, CONVERT_SIZE, async (values) => {
        if (!(await storeConverted(sql, conversion, values))) isComplete = false
      })
      problem = walked.problem
      if (isComplete) break
    }
    if (problem !== null) problems.push(problem)
  }
  return problems
}

/**
 * Converts values in a transaction that has locked the tables.
 * @returns one sentence for each property with values that cannot be converted
 */
export async function convertLocked(sql: ISql, conversions: readonly Conversion[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const conversion of conversions) {
    const { problem } = await walkValues(sql, conversion, READ_SIZE, async (values) => {
      await updateRows(sql, conversion, values, 'wait')
    })
    if (problem !== null) problems.push(problem)
  }
  return problems
}

/** Waits until all transactions have ended that have written to the table and are open now. */
async function waitForWriters(sql: Sql, rows: Rows): Promise<void> {
  const writers = async (): Promise<readonly string[]> => {
    const locks = await sql<{ holder: string }[]>`
      select distinct virtualtransaction as holder from pg_locks
      where locktype = 'relation' and relation = ${`ingot.${rows.kind}`}::text::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`
    return locks.map(({ holder }) => holder)
  }
  let open = new Set(await writers())
  while (open.size > 0) {
    await sleep(POLL_INTERVAL)
    const now = new Set(await writers())
    open = new Set([...open].filter((holder) => now.has(holder)))
  }
}

/**
 * Undoes an interrupted conversion: gives each converted value its earlier form, unless it was written since.
 * @param sql a client, because every statement is a transaction
 * @param key its name, as returned by `conversionKey`
 */
export async function undoConversion(sql: Sql, key: string): Promise<void> {
  const [kind, , name] = conversionName.parse(JSON.parse(key))
  const [table, property] = [relation({ kind }), parameter(name, 'text')]
  for (;;) {
    const [result] = await sendOnce<{ undone: number; left: boolean }[]>(
      sql,
      statement`
        with batch as (
          select k.id, k.earlier, k.converted from ingot.converted_values k join ${table} r on r.id = k.id
          where k.conversion = ${parameter(key, 'text')} order by k.id limit ${parameter(CONVERT_SIZE, 'integer')}
          for no key update of r skip locked
        ), undone as (
          update ${table} r set properties = jsonb_set(r.properties, array[${property}], b.earlier)
          from batch b where r.id = b.id and (r.properties -> ${property})::text = b.converted::text
        ), forgotten as (
          delete from ingot.converted_values k using batch b where k.conversion = ${parameter(key, 'text')} and k.id = b.id
        )
        select (select count(*)::integer from batch) as undone, exists (
          select from ingot.converted_values k join ${table} r on r.id = k.id
          where k.conversion = ${parameter(key, 'text')} and k.id not in (select id from batch)
        ) as left`,
    )
    if (result?.left !== true) break
    // All rows that are left are locked.
    if (result.undone === 0) await sleep(POLL_INTERVAL)
  }
  await sql`delete from ingot.converted_values where conversion = ${key}`
}

/** A name that `conversionKey` has returned. */
const conversionName = z.tuple([
  z.enum(['records', 'users', 'profiles']),
  z.union([z.number(), z.string(), z.null()]),
  z.string(),
])

/** A row with the JSON texts of its value before and after the conversion. */
interface ConvertedValue {
  readonly id: string
  readonly raw: string
  readonly value: string
}

/** Stores converted values. @returns whether all of them were up to date already, so that no further pass is needed */
async function storeConverted(sql: ISql, conversion: Conversion, values: readonly ConvertedValue[]): Promise<boolean> {
  if (values.length === 0) return true
  const { found, touched } = await updateRows(sql, conversion, values, 'skip locked')
  let isComplete = touched === 0
  // Locked rows are waited for one by one, so that this process never holds a lock while it waits for another one.
  const reached = new Set(found)
  for (const value of values) {
    if (reached.has(value.id)) continue
    const { touched: one } = await updateRows(sql, conversion, [value], 'wait')
    if (one > 0) isComplete = false
  }
  return isComplete
}

/**
 * Updates the rows whose values have not changed since they were read.
 * @returns the ids of the rows that were not locked, and how many of them were updated or had other values
 */
async function updateRows(
  sql: ISql,
  conversion: Conversion,
  values: readonly ConvertedValue[],
  locked: 'skip locked' | 'wait',
): Promise<{ readonly found: readonly string[]; readonly touched: number }> {
  const {
    rows,
    from,
    property: { name, column },
  } = conversion
  const key = parameter(name, 'text')
  const source = sourceColumn(from)
  const list = JSON.stringify(values.map(({ id, value, raw }) => [id, value, raw]))
  const withoutUndeclared = statement`undeclared = nullif(r.undeclared - ${key}, '{}')`
  const changes =
    column === true
      ? statement`${identifier(name)} = coalesce((g.value #>> '{}')::${COLUMN_TYPES[name] ?? statement`text`}, r.${identifier(name)}),
          properties = r.properties - ${key}, ${withoutUndeclared}`
      : statement`properties = jsonb_set(r.properties, array[${key}], g.value)${from === null ? statement`, ${withoutUndeclared}` : statement``}`
  const kept = isOnline(conversion)
    ? statement`, kept as (
        insert into ingot.converted_values (conversion, id, earlier, converted)
        select ${parameter(conversionKey(conversion), 'text')}, g.id, g.raw::jsonb, g.value from present g where g.same and g.differs
        on conflict (conversion, id) do update set earlier = excluded.earlier, converted = excluded.converted
      )`
    : statement``
  // Values are JSON texts inside the JSON, which keeps the digits of numbers. They are compared as texts, because equal
  // numbers may have different digits. `updated_at` is not changed, because the meaning of the rows stays the same.
  const differs = isOnline(conversion) ? statement`g.value::text <> g.raw` : statement`true`
  const [result] = await sendOnce<{ found: string[] | null; touched: number }[]>(
    sql,
    statement`
      with given as (
        select (e->>0)::bigint as id, (e->>1)::jsonb as value, e->>2 as raw
        from jsonb_array_elements(${parameter(list, 'jsonb')}) e
      ), present as (
        select r.id, g.raw, g.value, coalesce((r.${source} -> ${key})::text = g.raw, false) as same, ${differs} as differs
        from given g join ${relation(rows)} r on r.id = g.id
        for no key update of r ${locked === 'wait' ? statement`` : statement`skip locked`}
      ), changed as (
        update ${relation(rows)} r set ${changes} from present g where r.id = g.id and g.same and g.differs
      )${kept}
      select (select json_agg(id::text) from present) as found,
        (select count(*)::integer from present where not same or differs) as touched`,
  )
  return { found: result?.found ?? [], touched: result?.touched ?? 0 }
}

/** Returns the column with the stored values. */
function sourceColumn(from: PropertyType | null): SqlText {
  return from === null ? statement`undeclared` : statement`properties`
}

const COLUMN_KINDS: Readonly<Record<string, ColumnKind>> = {
  user_id: 'id',
  external_id: 'text',
  created_at: 'required time',
  updated_at: 'required time',
}

/** The SQL types of the columns in `COLUMN_KINDS`. */
const COLUMN_TYPES: Readonly<Record<string, SqlText>> = {
  user_id: statement`bigint`,
  external_id: statement`text`,
  created_at: statement`timestamptz`,
  updated_at: statement`timestamptz`,
}

interface StoredValue {
  readonly id: string
  /** The text of a scalar; null for null. */
  readonly text: string | null
  /** The JSON text. */
  readonly raw: string
  readonly form: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'
  readonly alive: boolean
}

/**
 * Reads the values of all rows in batches, and converts each of them.
 * @param store stores the converted values of a batch; when it is null, nothing is stored
 */
async function walkValues(
  sql: ISql,
  conversion: Conversion,
  size: number,
  store: ((values: readonly ConvertedValue[]) => Promise<void>) | null,
): Promise<CheckedConversion> {
  const { rows, from, property } = conversion
  const { name, type, column: own = false } = property
  // A value without an earlier declaration may become any type that it fits.
  const allowed = from === null || own || (ALLOWED_CONVERSIONS[from]?.includes(type) ?? false)
  const [key, source] = [parameter(name, 'text'), sourceColumn(from)]
  const rejectedExamples: StoredValue[] = []
  let rejectedCount = 0
  let count = 0
  // New rows have higher ids. Without a limit, a busy writer could keep the walk from ending.
  const [newest] = await sendOnce<{ id: string | null }[]>(sql, statement`select max(id) as id from ${relation(rows)}`)
  const newestId = newest?.id ?? '0'
  let lastId = '-9223372036854775808'
  for (;;) {
    const values = await sendOnce<StoredValue[]>(
      sql,
      statement`
        select id, ${source} ->> ${key} as text, (${source} -> ${key})::text as raw,
          jsonb_typeof(${source} -> ${key}) as form, deleted_at is null as alive
        from ${relation(rows)} where id > ${parameter(lastId, 'bigint')} and id <= ${parameter(newestId, 'bigint')} and ${rowsCondition(rows)} and ${source} ? ${key}
        order by id limit ${parameter(size, 'integer')}`,
    )
    const lastValue = values.at(-1)
    if (lastValue === undefined) break
    lastId = lastValue.id
    const converted: ConvertedValue[] = []
    for (const value of values) {
      if (value.alive) count++
      // A release that already declares the new type has written this value while another release was still running.
      if (type === 'array' && value.form === 'array' && from !== null && !own) continue
      const text = allowed || value.form === 'null' ? convertedText(conversion, value) : null
      if (text !== null) {
        if (text !== value.raw || from === null || own) converted.push({ id: value.id, value: text, raw: value.raw })
      } else if (value.alive) {
        rejectedCount++
        if (rejectedExamples.length < MAX_SHOWN) rejectedExamples.push(value)
      }
    }
    await store?.(converted)
    if (values.length < size) break
  }
  return {
    count,
    problem:
      rejectedCount === 0
        ? null
        : formatProblem(conversion, allowed, { count, badCount: rejectedCount, bad: rejectedExamples }),
  }
}

function formatProblem(
  { rows, owner, from, property }: Conversion,
  allowed: boolean,
  { count, badCount, bad }: { readonly count: number; readonly badCount: number; readonly bad: readonly StoredValue[] },
): string {
  const { name, type, column: own = false } = property
  const what = rows.kind === 'records' ? 'record' : rows.kind === 'users' ? 'user' : 'profile'
  const examples = bad.map(({ id, text }) => `${what} ${id}: ${shortJson(text)}`).join(', ')
  const rejected = `${badCount} of ${count} ${what}${count === 1 ? '' : 's'} with a value`
  if (own)
    return `${owner}: property \`${name}\` is the column \`${name}\` of the record now, and ${rejected} cannot be stored there (${examples}): correct the values, or rename the property`
  if (from === null)
    return `${owner}: property \`${name}\` is now declared ${type}, and ${rejected} that was written before cannot be converted (${examples}): correct the values, or rename the property`
  return allowed
    ? `${owner}: property \`${name}\` is now ${type} and was ${from}, and ${rejected} cannot be converted (${examples}): restore the type ${from} to correct the values, or give the property another name`
    : `${owner}: property \`${name}\` is now ${type} and was ${from}, and no ${from} can become ${type}; there are ${rejected} (${examples}): restore the type ${from}, or give the property another name`
}

/** The JSON text of a value converted to the property's type; null when it cannot be converted. */
function convertedText({ from, property }: Conversion, { text, form }: StoredValue): string | null {
  if (form === 'null' || text === null) return property.column === true ? 'null' : storedText(property, null)
  const isCompound = form === 'array' || form === 'object'
  // Between declared types, only arrays of at most one item are converted.
  if (isCompound && (property.column === true || (from !== null && from !== 'array'))) return null
  try {
    if (property.column === true) return columnJson(property.name, text)
    const value: unknown = isCompound ? JSON.parse(text) : text
    if (from === null || !Array.isArray(value)) return storedText(property, value)
    return value.length > 1 ? null : storedText(property, value[0] ?? null)
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

/**
 * The JSON text of a column's value; an empty text means no value.
 * @throws QueryError when the column cannot hold it
 */
function columnJson(name: string, text: string): string {
  const kind = COLUMN_KINDS[name]
  return text === '' || kind === undefined ? 'null' : JSON.stringify(columnText(name, kind, text, null))
}

function relation({ kind }: Pick<Rows, 'kind'>): SqlText {
  return statement`ingot.${identifier(kind)}`
}

function rowsCondition(rows: Rows): SqlText {
  if (rows.kind === 'records') return statement`table_id = ${parameter(rows.table, 'integer')}`
  return rows.kind === 'profiles' ? statement`profile_type = ${parameter(rows.type, 'text')}` : statement`true`
}

function shortJson(text: string | null): string {
  const whole = JSON.stringify(text) ?? 'null'
  return whole.length > 40 ? `${whole.slice(0, 37)}…` : whole
}
