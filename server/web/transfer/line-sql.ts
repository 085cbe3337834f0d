/** Builds SQL that returns rows as JSON text. */
import type { PropertyDef, PropertyType } from '../../../runtime/page/compiled.ts'
import {
  identifier,
  join,
  literal,
  parameter,
  type Sql as SqlText,
  sql as statement,
} from '../../../runtime/data/sql/sql.ts'

/** Returns a member with the time of a column. The member has the column's name. */
export function timeMember(alias: string, column: string): SqlText {
  const value = statement`${identifier(alias)}.${identifier(column)} at time zone 'UTC'`
  return quotedMember(column, statement`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
}

/** Returns a member with the digits of a column as text. */
export function digitsMember(alias: string, column: string): SqlText {
  return quotedMember(column, statement`${identifier(alias)}.${identifier(column)}`)
}

/** Returns a member with the text of a column. */
export function textMember(alias: string, column: string): SqlText {
  return jsonMember(column, statement`to_json(${identifier(alias)}.${identifier(column)})`)
}

/** Returns a member with the values of undeclared properties, if there are any. */
export function undeclaredMember(alias: string): SqlText {
  return jsonMember('undeclared', statement`${identifier(alias)}.undeclared::text`)
}

/** Returns a member whose value is JSON text. */
export function jsonMember(key: string, value: SqlText): SqlText {
  return statement`${literal(`"${key}":`)} || ${value}`
}

/** Returns a member whose value is a text without special characters. */
function quotedMember(key: string, value: SqlText): SqlText {
  return statement`${literal(`"${key}":"`)} || ${value} || '"'`
}

/** Returns the text of a JSON object. Members that are null are omitted. */
export function jsonObject(parts: readonly SqlText[]): SqlText {
  return statement`'{' || array_to_string(array[${join(parts)}]::text[], ',') || '}'`
}

/**
 * Returns SQL for the JSON text of a property's value, given the column of properties and the property's name as SQL.
 */
export type PropertyJson = (column: SqlText, key: SqlText, property: PropertyDef) => SqlText

/** Returns the text of an object with the declared properties of an alias, in their order. */
export function propertiesObject(
  alias: string,
  properties: readonly PropertyDef[],
  value: PropertyJson = (column, key, { type }) => propertyJson(column, key, type),
): SqlText {
  if (properties.length === 0) return statement`'{}'`
  const column = statement`${identifier(alias)}.properties`
  return jsonObject(
    properties.map((property) => {
      const key = parameter(property.name, 'text')
      return statement`case when ${column} ? ${key} then to_json(${key}) || ':' || (${value(column, key, property)}) end`
    }),
  )
}

/**
 * Returns the JSON text of a property's value. Numbers that a double cannot represent become strings, because most JSON
 * readers use doubles.
 */
export function propertyJson(column: SqlText, key: SqlText, type: PropertyType): SqlText {
  const value = statement`${column} -> ${key}`
  const asText = statement`to_json(${column} ->> ${key})::text`
  const isNumber = statement`jsonb_typeof(${value}) = 'number'`
  if (type === 'decimal') return statement`case when ${isNumber} then ${asText} else (${value})::text end`
  if (type !== 'integer') return statement`(${value})::text`
  const isLarge = statement`abs((${column} ->> ${key})::numeric) > 9007199254740991`
  return statement`case when ${isNumber} and ${isLarge} then ${asText} else (${value})::text end`
}
