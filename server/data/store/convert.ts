/**
 * Converts the stored values of a property whose declared type has changed, that is newly declared, or that is now a
 * column of its record. Values that cannot be converted are reported.
 */
import type { ISql } from 'postgres'
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

/** The conversions that the language defines, by previous type. Decimals convert to the same types as floats. */
const ALLOWED_CONVERSIONS: Partial<Record<PropertyType, readonly PropertyType[]>> = {
  integer: ['string', 'float', 'decimal', 'array'],
  float: ['string', 'decimal', 'array'],
  decimal: ['string', 'float', 'array'],
  string: ['integer', 'float', 'decimal', 'boolean', 'array'],
  boolean: ['string', 'array'],
}

/** Number of rows that are read together. */
const BATCH_SIZE = 5_000
/** Number of rows that a report names. */
const MAX_SHOWN = 3

/**
 * Converts the values of all rows, after trying each of them.
 * @returns one sentence for each property that cannot be converted; nothing is changed unless the list is empty
 */
export async function convertValues(sql: ISql, conversions: readonly Conversion[]): Promise<readonly string[]> {
  if (conversions.length === 0) return []
  const problems = (await tryConversions(sql, conversions)).flatMap(({ problem }) => problem ?? [])
  if (problems.length > 0) {
    await sql`drop table ingot_converted`
    return problems
  }
  for (const [part, { rows, from, property }] of conversions.entries()) {
    const { name } = property
    if (property.column === true) {
      await moveToColumn(sql, part, name)
      continue
    }
    const withoutUndeclared = from === null ? sql`, undeclared = nullif(r.undeclared - ${name}::text, '{}')` : sql``
    // `updated_at` is not changed, because the meaning of the rows stays the same.
    await sql`
      update ${sql(relation(rows))} r set properties = jsonb_set(r.properties, array[${name}::text], c.value)${withoutUndeclared}
      from ingot_converted c where c.part = ${part} and c.id = r.id`
  }
  await sql`drop table ingot_converted`
  return []
}

/** The result of trying to convert the values of a property. */
interface TriedConversion {
  /** Rows with a value. */
  readonly count: number
  /** A sentence about the values that cannot be converted; null when all can. */
  readonly problem: string | null
}

/** Tries the values of all rows, and keeps the converted ones in a temporary table until the transaction ends. */
export async function tryConversions(
  sql: ISql,
  conversions: readonly Conversion[],
): Promise<readonly TriedConversion[]> {
  await sql`create temporary table ingot_converted (part integer, id bigint, value jsonb) on commit drop`
  const tried: TriedConversion[] = []
  for (const [part, conversion] of conversions.entries()) tried.push(await tryConversion(sql, part, conversion))
  return tried
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

/**
 * Moves the values of a property into the column of its name, which queries use for it from now on. Rows without a value keep the value of
 * their column.
 */
async function moveToColumn(sql: ISql, part: number, name: string): Promise<void> {
  const [column, type, key] = [identifier(name), COLUMN_TYPES[name] ?? statement`text`, parameter(name, 'text')]
  await sendOnce(
    sql,
    statement`
      update ingot.records r set ${column} = coalesce((c.value #>> '{}')::${type}, r.${column}),
        properties = r.properties - ${key}, undeclared = nullif(r.undeclared - ${key}, '{}')
      from ingot_converted c where c.part = ${part}::integer and c.id = r.id`,
  )
}

interface StoredValue {
  readonly id: string
  /** The text of a scalar; null for null. */
  readonly text: string | null
  readonly form: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'
  readonly alive: boolean
}

/** Writes the converted values into a temporary table. */
async function tryConversion(sql: ISql, part: number, conversion: Conversion): Promise<TriedConversion> {
  const { rows, from, property } = conversion
  const { name, type, column: own = false } = property
  // A value without an earlier declaration may become any type that it fits.
  const allowed = from === null || own || (ALLOWED_CONVERSIONS[from]?.includes(type) ?? false)
  const column = from === null ? 'undeclared' : 'properties'
  const rejectedExamples: StoredValue[] = []
  let rejectedCount = 0
  let count = 0
  let lastId = '-9223372036854775808'
  for (;;) {
    const values = await sql<StoredValue[]>`
      select id, ${sql(column)}->>${name} as text, jsonb_typeof(${sql(column)}->${name}) as form, deleted_at is null as alive
      from ${sql(relation(rows))} where id > ${lastId} and ${rowsCondition(sql, rows)} and ${sql(column)} ? ${name}
      order by id limit ${BATCH_SIZE}`
    const lastValue = values.at(-1)
    if (lastValue === undefined) break
    lastId = lastValue.id
    const converted: (readonly [string, unknown])[] = []
    for (const value of values) {
      if (value.alive) count++
      // A release that already declares the new type has written this value while another release was still running.
      if (type === 'array' && value.form === 'array' && from !== null && !own) continue
      const text = allowed || value.form === 'null' ? convertedText(property, value, from === null) : null
      if (text !== null) converted.push([value.id, text])
      else if (value.alive) {
        rejectedCount++
        if (rejectedExamples.length < MAX_SHOWN) rejectedExamples.push(value)
      }
    }
    // Values are JSON texts inside the JSON, which keeps the digits of numbers.
    await sql`
      insert into ingot_converted (part, id, value)
      select ${part}, (e->>0)::bigint, (e->>1)::jsonb from json_array_elements(${JSON.stringify(converted)}::text::json) e`
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
    ? `${owner}: property \`${name}\` is now ${type} and was ${from}, and ${rejected} cannot be converted (${examples}): correct the values, or rename the new property`
    : `${owner}: property \`${name}\` is now ${type} and was ${from}, and no ${from} can become ${type}; there are ${rejected} (${examples}): rename the new property`
}

/**
 * The JSON text of a value converted to the property's type; null when it cannot be converted.
 * @param allowsCompound whether arrays and objects can be converted too
 */
function convertedText(property: PropertyDef, { text, form }: StoredValue, allowsCompound: boolean): string | null {
  if (form === 'null' || text === null) return property.column === true ? 'null' : storedText(property, null)
  // No conversion between declared types starts from an array or an object.
  const isCompound = form === 'array' || form === 'object'
  if (isCompound && (!allowsCompound || property.column === true)) return null
  try {
    if (property.column === true) return columnJson(property.name, text)
    return storedText(property, isCompound ? JSON.parse(text) : text)
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

function relation({ kind }: Rows): string {
  return `ingot.${kind}`
}

function rowsCondition(sql: ISql, rows: Rows) {
  if (rows.kind === 'records') return sql`table_id = ${rows.table}`
  return rows.kind === 'profiles' ? sql`profile_type = ${rows.type}` : sql`true`
}

function shortJson(text: string | null): string {
  const whole = JSON.stringify(text) ?? 'null'
  return whole.length > 40 ? `${whole.slice(0, 37)}…` : whole
}
