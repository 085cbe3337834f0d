/** The stored values of properties, with the error of an invalid value. */
import type { PropertyDef } from '../../../page/compiled.ts'
import { castText } from '../../values/cast.ts'
import { plainJson } from '../../values/json-text.ts'
import { type SourceRange, QueryError } from '../model.ts'

/** JSON texts by property name, in the given order. */
export type StoredTexts = ReadonlyMap<string, string>

/**
 * The JSON text that stores a plain value in a property. Null and blank text clear it: `null`, or `[]` for arrays.
 * @throws QueryError when the value cannot be cast to the declared type
 */
export function storedText(property: PropertyDef, value: unknown, range: SourceRange | null = null): string {
  const text = castText(property, value)
  if (text === null) throw invalidPropertyValue(property, value, range)
  return text
}

/** The values of a new row: declared defaults, and `[]` for arrays. */
export function defaultTexts(properties: Iterable<PropertyDef>): StoredTexts {
  const texts = new Map<string, string>()
  for (const property of properties) {
    if (property.default !== null) texts.set(property.name, storedText(property, property.default))
    else if (property.type === 'array') texts.set(property.name, '[]')
  }
  return texts
}

/** The error of an invalid value, which contains the value if it is short. */
export function invalidPropertyValue(property: PropertyDef, value: unknown, range: SourceRange | null): QueryError {
  const valueText = plainJson(value) ?? (typeof value === 'string' ? 'text with NUL' : typeof value)
  const short = valueText.length > 60 ? `${valueText.slice(0, 57)}…` : valueText
  const message = `Property \`${property.name}\` is ${withArticle(property.type)} and cannot hold ${short}.`
  return new QueryError([{ code: 'property-type', message, range, hint: EXAMPLES[property.type] ?? null }])
}

function withArticle(type: PropertyDef['type']): string {
  return `${/^[aiu]/.test(type) ? 'an' : 'a'} ${type}`
}

const EXAMPLES: Partial<Record<PropertyDef['type'], string>> = {
  integer: 'A whole number, as `42`.',
  float: 'A number, as `3.14`.',
  decimal: 'A number, as `3.14`.',
  boolean: '`true` or `false`.',
  datetime: 'A time, as `2020-03-15T14:28:48Z`, or seconds since 1970.',
  date: 'A day, as `2020-03-15`.',
  time: 'A time of the day, as `14:28:48`.',
  array: 'A list of texts, by `value_array`.',
  geojson: 'A GeoJSON object, as `{"type": "Point", "coordinates": [19.9, 50.1]}`.',
  upload: 'The URL of an uploaded file.',
}
