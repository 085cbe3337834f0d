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
  /**
   * Whether an interrupted conversion is undone: some values have the form of `from`, and the others never had it. So
   * every value can be converted.
   */
  readonly isReturn: boolean
}

/** The conversions that the language defines, by previous type. Decimals convert to the same types as floats. */
const ALLOWED_CONVERSIONS: Partial<Record<PropertyType, readonly PropertyType[]>> = {
  integer: ['string', 'float', 'decimal', 'array'],
  float: ['string', 'decimal', 'array'],
  decimal: ['string', 'float', 'array'],
  string: ['integer', 'float', 'decimal', 'boolean', 'array'],
  boolean: ['string', 'array'],
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
 * Converts the values of all rows while other processes read and write them. Every statement converts a few rows and
 * waits for no locked row, so writers are held up for milliseconds. A conversion that was interrupted can be repeated.
 * @returns one sentence for each property with values that cannot be converted, because they were written after the
 * check; the other values are converted
 */
export async function convertValues(sql: ISql, conversions: readonly Conversion[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const conversion of conversions) {
    // A plan that follows outdated statistics could read the whole table for every batch.
    await sendOnce(sql, statement`analyze ${relation(conversion.rows)} (id)`)
    let changed = 1
    let problem: string | null = null
    for (let pass = 0; changed > 0 && pass < MAX_PASSES; pass++) {
      changed = 0
      const walked = await walkValues(sql, conversion, CONVERT_SIZE, async (values) => {
        changed += await storeConverted(sql, conversion, values)
      })
      problem = walked.problem
    }
    if (problem !== null) problems.push(problem)
  }
  return problems
}

/** A row with the JSON texts of its value before and after the conversion. */
interface ConvertedValue {
  readonly id: string
  readonly raw: string
  readonly value: string
}

/** Stores converted values. @returns the number of changed rows */
async function storeConverted(sql: ISql, conversion: Conversion, values: readonly ConvertedValue[]): Promise<number> {
  if (values.length === 0) return 0
  const { found, changed } = await updateRows(sql, conversion, values, 'skip locked')
  let all = changed
  // Locked rows are waited for one by one, so that this process never holds a lock while it waits for another one.
  const reached = new Set(found)
  for (const value of values)
    if (!reached.has(value.id)) all += (await updateRows(sql, conversion, [value], 'wait')).changed
  return all
}

/** Updates rows whose values have not changed since they were read. */
async function updateRows(
  sql: ISql,
  { rows, from, property: { name, column } }: Conversion,
  values: readonly ConvertedValue[],
  locked: 'skip locked' | 'wait',
): Promise<{ readonly found: readonly string[]; readonly changed: number }> {
  const key = parameter(name, 'text')
  const source = sourceColumn(from)
  const list = JSON.stringify(values.map(({ id, value, raw }) => [id, value, raw]))
  const withoutUndeclared = statement`undeclared = nullif(r.undeclared - ${key}, '{}')`
  const changes =
    column === true
      ? statement`${identifier(name)} = coalesce((g.value #>> '{}')::${COLUMN_TYPES[name] ?? statement`text`}, r.${identifier(name)}),
          properties = r.properties - ${key}, ${withoutUndeclared}`
      : statement`properties = jsonb_set(r.properties, array[${key}], g.value)${from === null ? statement`, ${withoutUndeclared}` : statement``}`
  // Values are JSON texts inside the JSON, which keeps the digits of numbers. `updated_at` is not changed, because the
  // meaning of the rows stays the same.
  const [result] = await sendOnce<{ found: string[] | null; changed: number }[]>(
    sql,
    statement`
      with given as (
        select (e->>0)::bigint as id, (e->>1)::jsonb as value, (e->>2)::jsonb as raw
        from jsonb_array_elements(${parameter(list, 'jsonb')}) e
      ), present as (
        select r.id, g.value, r.${source} -> ${key} = g.raw as same from given g join ${relation(rows)} r on r.id = g.id
        for no key update of r ${locked === 'wait' ? statement`` : statement`skip locked`}
      ), changed as (
        update ${relation(rows)} r set ${changes} from present g where r.id = g.id and g.same returning r.id
      )
      select (select json_agg(id::text) from present) as found, (select count(*)::integer from changed) as changed`,
  )
  return { found: result?.found ?? [], changed: result?.changed ?? 0 }
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
  const allowed = from === null || own || conversion.isReturn || (ALLOWED_CONVERSIONS[from]?.includes(type) ?? false)
  const [key, source] = [parameter(name, 'text'), sourceColumn(from)]
  const rejectedExamples: StoredValue[] = []
  let rejectedCount = 0
  let count = 0
  // Rows that are written meanwhile have higher ids. Without a limit, a busy writer could keep the walk from ending.
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

/** The JSON text of a value converted to the property's type; null when it cannot be converted. */
function convertedText({ from, property, isReturn }: Conversion, { text, form }: StoredValue): string | null {
  if (form === 'null' || text === null) return property.column === true ? 'null' : storedText(property, null)
  const isCompound = form === 'array' || form === 'object'
  if (isCompound && property.column === true) return null
  try {
    if (property.column === true) return columnJson(property.name, text)
    if (!isCompound) return storedText(property, text)
    const value: unknown = JSON.parse(text)
    if (from === null) return storedText(property, value)
    // Conversions between declared types never start from an array, except for the return from one.
    if (!isReturn || !Array.isArray(value) || value.length > 1) return null
    return storedText(property, value[0] ?? null)
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

function relation({ kind }: Rows): SqlText {
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
