/**
 * The SQL of properties. Conditions, sorts and indexes share these expressions, so that PostgreSQL uses the indexes. The expressions are
 * immutable, and no stored value makes them fail.
 */
import type { IndexKey, PropertyType } from '../../../page/compiled.ts'
import { SHORT } from '../model.ts'
import { integer, type Sql, sql } from '../../sql/sql.ts'
import { MISSING_SQL } from '../null-order.ts'

/** The forms of a property's value in indexes. */
export type IndexForm = Extract<IndexKey, { readonly property: string }>['as']

/** The forms in which a property is read. */
export type PropertySqlForm = IndexForm | 'whole' | 'search'

/** The length of the prefix of a text that indexes contain, in characters. PostgreSQL limits an index entry to a third of a page. */
export const INDEXED_PREFIX = SHORT

/** The pattern of a number in a text. The length is bounded, so that PostgreSQL never computes for long. */
const NUMERAL = sql`'^[-+]?[0-9]{1,255}([.][0-9]{0,255})?([eE][-+]?[0-9]{1,2})?$'`
const TIME_TEXT = sql`'^[0-9]{2}[-0-9:.TZ]{0,38}$'`
const YES = sql`'true', 't', '1', 'yes', 'y', 'on'`
const NO = sql`'false', 'f', '0', 'no', 'n', 'off'`

/**
 * Returns a property's value in a form. `column` and `name` are SQL: the column of properties, and a text that is escaped or a parameter.
 * - `whole`: as text, null when missing; lists and objects as JSON text
 * - `search`: the same, empty when missing
 * - `text`: the prefix of `whole`, for sorting
 * - `match`: the prefix of `search`, for equality
 * - `number`: numbers, and texts that are numbers; otherwise `MISSING.number`
 * - `boolean`: 0 or 1, also for texts that PostgreSQL accepts as booleans; otherwise `MISSING.boolean`
 * - `time`: times, dates and times of day as ISO text, which sorts chronologically; otherwise `MISSING.time`
 * - `json`: as stored
 */
export function propertySql(column: Sql, name: Sql, form: PropertySqlForm): Sql {
  const text = sql`(${column} ->> ${name})`
  const json = sql`(${column} -> ${name})`
  switch (form) {
    case 'whole':
      return text
    case 'search':
      return sql`coalesce(${text}, '')`
    case 'text':
      return sql`left(${text}, ${integer(INDEXED_PREFIX)})`
    case 'match':
      return sql`left(coalesce(${text}, ''), ${integer(INDEXED_PREFIX)})`
    case 'json':
      return json
    case 'number':
      return sql`coalesce(case jsonb_typeof(${json}) when 'number' then ${json}::numeric
        when 'string' then case when ${text} ~ ${NUMERAL} then ${text}::numeric end end, ${MISSING_SQL.number})`
    case 'boolean':
      return sql`case when lower(${text}) in (${YES}) then 1 when lower(${text}) in (${NO}) then 0 else ${MISSING_SQL.boolean} end`
    case 'time':
      return sql`(coalesce(case when ${text} ~ ${TIME_TEXT} then ${text} end, ${MISSING_SQL.time}) collate "C")`
  }
}

/** How the values of a declared type are compared. */
export type ComparisonKind = 'text' | 'number' | 'time' | 'boolean' | 'array'

const KINDS: Readonly<Record<PropertyType, ComparisonKind>> = {
  string: 'text',
  binary: 'text',
  address: 'text',
  file: 'text',
  photo: 'text',
  geojson: 'text',
  upload: 'text',
  integer: 'number',
  float: 'number',
  decimal: 'number',
  datetime: 'time',
  date: 'time',
  time: 'time',
  boolean: 'boolean',
  array: 'array',
}

/** Returns how the values of a declared type are compared. */
export function comparisonKindOf(type: PropertyType): ComparisonKind {
  return KINDS[type]
}

/** Returns the type that an argument `property_type` names; null for an unknown type. */
export function typeNamed(name: unknown): PropertyType | null {
  if (name === 'text') return 'string'
  return typeof name === 'string' && isPropertyType(name) ? name : null
}

function isPropertyType(name: string): name is PropertyType {
  return Object.hasOwn(KINDS, name)
}

/** Returns the form by which values of a kind are sorted. */
export function sortForm(kind: ComparisonKind): IndexForm {
  return kind === 'array' ? 'text' : kind
}
