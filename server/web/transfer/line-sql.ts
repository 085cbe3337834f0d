/** SQL for texts of rows: JSON objects that the database writes itself. */
import type { PropertyDef, PropertyType } from '../../../runtime/page/compiled.ts'
import {
  identifier,
  join,
  literal,
  parameter,
  type Sql as SqlText,
  sql as statement,
} from '../../../runtime/data/sql/sql.ts'

/** A member of a JSON object, under the name of the column. */
export function time(alias: string, column: string): SqlText {
  const value = statement`${identifier(alias)}.${identifier(column)} at time zone 'UTC'`
  return quoted(column, statement`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
}

export function digits(alias: string, column: string): SqlText {
  return quoted(column, statement`${identifier(alias)}.${identifier(column)}`)
}

export function text(alias: string, column: string): SqlText {
  return json(column, statement`to_json(${identifier(alias)}.${identifier(column)})`)
}

/** The values of undeclared properties, if there are any. */
export function undeclared(alias: string): SqlText {
  return json('undeclared', statement`${identifier(alias)}.undeclared::text`)
}

/** A member whose value is JSON text. */
export function json(key: string, value: SqlText): SqlText {
  return statement`${literal(`"${key}":`)} || ${value}`
}

/** A member whose value is a text without special characters. */
function quoted(key: string, value: SqlText): SqlText {
  return statement`${literal(`"${key}":"`)} || ${value} || '"'`
}

/** The text of a JSON object; members that are null are left out. */
export function joined(parts: readonly SqlText[]): SqlText {
  return statement`'{' || array_to_string(array[${join(parts)}]::text[], ',') || '}'`
}

/** The JSON text of a property's value: of its name, as SQL, in the column of properties. */
export type ShownValue = (column: SqlText, key: SqlText, property: PropertyDef) => SqlText

/** The text of an object with the declared properties of an alias, in that order. */
export function object(
  alias: string,
  properties: readonly PropertyDef[],
  value: ShownValue = (column, key, { type }) => shown(column, key, type),
): SqlText {
  if (properties.length === 0) return statement`'{}'`
  const column = statement`${identifier(alias)}.properties`
  return joined(
    properties.map((property) => {
      const key = parameter(property.name, 'text')
      return statement`case when ${column} ? ${key} then to_json(${key}) || ':' || (${value(column, key, property)}) end`
    }),
  )
}

/**
 * The JSON text of a property's value. Numbers that a double cannot represent become strings, because most JSON readers
 * use doubles.
 */
export function shown(column: SqlText, key: SqlText, type: PropertyType): SqlText {
  const value = statement`${column} -> ${key}`
  const asText = statement`to_json(${column} ->> ${key})::text`
  const isNumber = statement`jsonb_typeof(${value}) = 'number'`
  if (type === 'decimal') return statement`case when ${isNumber} then ${asText} else (${value})::text end`
  if (type !== 'integer') return statement`(${value})::text`
  const isLarge = statement`abs((${column} ->> ${key})::numeric) > 9007199254740991`
  return statement`case when ${isNumber} and ${isLarge} then ${asText} else (${value})::text end`
}
