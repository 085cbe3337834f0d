/** Columns and properties as JSON, with their types for templates. */
import type { PropertyDef, PropertyType } from '../../../page/compiled.ts'
import type { Build, JsonExpression, ResultType, Selected, Shape } from '../model.ts'
import { parseText, type PropertyForm } from '../property-form.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { leafOf } from './input.ts'
import { jsonObject, jsonText, jsonFromText, NULL_JSON, type Pair } from './json.ts'
import { ownColumnText, timeText } from './own-columns.ts'
import { MISSING } from '../null-order.ts'
import { propertySql } from './property.ts'
import type { Column, Property, RowScope } from './scope.ts'
import { listConverter, plainText } from './comparison-values.ts'
import { identifier, literal, emptySql, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

const JSON_TYPE: ResultType = { kind: 'scalar', name: 'JSON' }

/** Returns the SQL of a time as JSON, such as `2020-03-15T14:28:48.153Z`. */
export function timeJson(expression: Sql): Sql {
  return timeText(expression)
}

/** Returns the value of a column as JSON. Ids become texts. */
export function columnJson(expression: Sql, column: Column): Sql {
  if (column.as === 'time') return timeJson(expression)
  return column.as === 'text' ? expression : sql`${expression}::text`
}

/** Returns the value if it is a list or an object, stored as such or as JSON text; otherwise null. */
const parseObject: Shape = (value) => {
  const parsed = parseText(value)
  return typeof parsed === 'object' ? parsed : null
}

/** Types whose values are stored as text. */
const TEXTS: ReadonlySet<PropertyType | null> = new Set<PropertyType | null>([null, 'string', 'binary', 'address'])

/** Returns the SQL and the completion of a property's value in a form. */
export function propertyResult(
  property: Property,
  form: PropertyForm,
): Pick<JsonExpression, 'sql' | 'shape' | 'column'> {
  const json = property.sql('json')
  const number = sql`nullif(${property.sql('number')}, ${literal(MISSING.number)})`
  switch (form) {
    case 'string':
      return { sql: property.sql('whole'), shape: null }
    case 'array':
      return { sql: listSql(property), shape: null }
    case 'boolean':
      // A missing value is false, because templates compare with false.
      return { sql: sql`(${property.sql('boolean')} = 1)`, shape: null }
    case 'float':
      if (property.type === 'integer' || property.type === 'float') return storedNumber(json, number)
      // Larger numbers would be infinite as a double, which JSON cannot express.
      return { sql: sql`case when abs(${number}) < 1e308 then ${number} end`, shape: null }
    case 'int':
      if (property.type === 'integer') return storedNumber(json, number)
      if (property.type === 'float')
        return { sql: numeric(json, sql`trunc(${json}::numeric)`, sql`trunc(${number})`), shape: null }
      // Larger integers lose digits as a JavaScript number.
      return { sql: sql`case when abs(${number}) < 9007199254740992 then trunc(${number}) end`, shape: null }
    case 'json':
      return { sql: json, shape: TEXTS.has(property.type) ? parseText : null }
    case 'object':
      return { sql: json, shape: parseObject }
  }
}

/** Returns the stored number, or the number in a stored text; null for other values. */
function storedNumber(json: Sql, number: Sql): Pick<JsonExpression, 'sql' | 'shape' | 'column'> {
  const value = numeric(json, json, sql`to_jsonb(${number})`)
  return { sql: value, shape: null, column: { sql: sql`${json}::text`, reads: 'number' } }
}

/**
 * Returns a number.
 * @param text the result when a text is stored, by another release of the site
 */
function numeric(json: Sql, value: Sql, text: Sql): Sql {
  return sql`case jsonb_typeof(${json}) when 'number' then ${value} when 'string' then ${text} end`
}

/** Returns a list of texts. A single value counts as a list of one, and a missing value as an empty list. */
function listSql(property: Property): Sql {
  const json = property.sql('json')
  const text = property.sql('whole')
  // A property of the type `array` stores lists of texts. A single value is possible when another release of the site, which is still
  // running, has stored it.
  if (property.type === 'array')
    return sql`case jsonb_typeof(${json}) when 'array' then ${json} else case when ${text} is not null then jsonb_build_array(${text}) else '[]'::jsonb end end`
  const items = sql`(select json_agg(e) from jsonb_array_elements_text(${json}) e where e is not null)`
  const noneCase = property.declared === null ? sql` else '[]'::json` : emptySql
  return sql`case jsonb_typeof(${json}) when 'array' then coalesce(${items}, '[]'::json)
    else case when ${text} is not null then json_build_array(${text})${noneCase} end end`
}

const PROPERTY_FORM_TYPES: Readonly<Record<PropertyForm, ResultType>> = {
  string: { kind: 'scalar', name: 'String' },
  array: { kind: 'list', inner: { kind: 'scalar', name: 'String' } },
  boolean: { kind: 'scalar', name: 'Boolean' },
  float: { kind: 'scalar', name: 'Float' },
  int: { kind: 'scalar', name: 'Int' },
  json: JSON_TYPE,
  object: JSON_TYPE,
}

/** Returns the type that a property has in a form. */
export function propertyFormType(form: PropertyForm): ResultType {
  return { kind: 'nullable', inner: PROPERTY_FORM_TYPES[form] }
}

const STORED_FORMS: Readonly<Record<PropertyType, PropertyForm>> = {
  string: 'string',
  binary: 'string',
  datetime: 'string',
  date: 'string',
  time: 'string',
  integer: 'int',
  float: 'float',
  decimal: 'float',
  boolean: 'boolean',
  array: 'array',
  address: 'json',
  file: 'json',
  photo: 'json',
  geojson: 'json',
  upload: 'json',
}

/** Returns the type of a declared property in the form in which it is stored, for the field `properties`. */
export function storedType(property: PropertyDef): ResultType {
  return propertyFormType(STORED_FORMS[property.type])
}

/** Returns whether a declared property is stored as a float. */
export function isStoredFloat(property: PropertyDef): boolean {
  return STORED_FORMS[property.type] === 'float'
}

/**
 * Returns the stored properties of a row as one JSON object: the declared properties, and the properties that were written without a
 * declaration. Values whose declaration was removed are omitted.
 */
export function storedObject(scope: RowScope, properties: readonly PropertyDef[], build: Build): Sql {
  const column = sql`${scope.alias}.properties`
  const pairs = properties.map(({ name, column: ownColumn }) => {
    const declared = build.nameLiteral(name)
    const value =
      ownColumn === true
        ? ownColumnText(sql`${scope.alias}.${identifier(name)}`, name)
        : propertySql(column, declared, 'json')
    return { name: declared, value }
  })
  const object = jsonText(jsonObject(pairs))
  const others = sql`${scope.alias}.undeclared`
  return jsonFromText(sql`case when ${others} is null then ${object} else (${others} || (${object})::jsonb)::text end`)
}

/** `property_upload`: the stored value and the arguments for its URLs, which the host creates. */
export function uploadJson(property: Property, call: Selected, build: Build): JsonExpression {
  const json = property.sql('json')
  const expires = leafOf(call.args['expires_in'])
  const pairs: Pair[] = [
    { key: 'stored', value: json },
    { key: 'expires', value: expires === null ? NULL_JSON : build.bind(expires, 'integer', secondsText) },
  ]
  const fields = call.selection.map((field, index) => {
    const names = field.name === 'versions' ? leafOf(field.args['names']) : null
    if (names !== null) {
      pairs.push({ key: `${index}`, value: sql`to_json(${build.bind(names, 'text[]', listConverter(plainText))})` })
    }
    return { key: field.responseKey, name: field.name, names: names === null ? null : `${index}` }
  })
  return {
    sql: sql`case when jsonb_typeof(${json}) in ('object', 'string') then ${jsonObject(pairs)} end`,
    shape: (value, host) => uploadResult(value, fields, (storedObject, seconds) => host.fileUrl(storedObject, seconds)),
    type: wrapType(call.type, {
      kind: 'object',
      fields: new Map(call.selection.map((field) => [field.responseKey, scalarResultType(field.type)])),
      range: call.range,
      table: null,
    }),
  }
}

function secondsText(value: unknown): string | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? `${Math.min(value, 2 ** 31 - 1)}` : null
}

type Fields = readonly { readonly key: string; readonly name: string; readonly names: string | null }[]
type Url = (storedObject: Readonly<Record<string, unknown>>, expires: number | null) => string | null

function uploadResult(value: unknown, fields: Fields, url: Url): unknown {
  if (!isObject(value)) return null
  const stored = isObject(value['stored']) ? value['stored'] : { path: value['stored'] }
  const expires = typeof value['expires'] === 'number' ? value['expires'] : null
  const valueOf = (name: string, names: string | null): unknown => {
    if (name === 'url') return url(stored, expires)
    if (name === 'versions') return versionUrls(stored, names === null ? null : value[names], expires, url)
    return name === '__typename' ? 'PropertyUpload' : (stored[name] ?? null)
  }
  return Object.fromEntries(fields.map(({ key, name, names }) => [key, valueOf(name, names)]))
}

function versionUrls(
  storedObject: Readonly<Record<string, unknown>>,
  names: unknown,
  expires: number | null,
  url: Url,
): Readonly<Record<string, unknown>> {
  const allVersions = isObject(storedObject['versions']) ? storedObject['versions'] : {}
  const requestedVersions = Object.entries(allVersions).filter(
    ([name]) => !Array.isArray(names) || names.includes(name),
  )
  return Object.fromEntries(
    requestedVersions.map(([name, version]) => [name, url(isObject(version) ? version : { path: version }, expires)]),
  )
}
