/** The stored values of properties, with the error of an invalid value. */
import type { PropertyDef } from '../../../page/compiled.ts'
import { castText } from '../../values/cast.ts'
import { plainJson } from '../../values/json-text.ts'
import { type SourceRange, QueryError } from '../model.ts'

/** JSON texts by property name, in the given order. */
export type StoredTexts = ReadonlyMap<string, string>

/**
 * Returns the JSON text that stores a plain value in a property. Null and blank text clear the property: they become `null`, or `[]` for
 * arrays.
 * @throws QueryError when the value cannot be cast to the declared type
 */
export function storedText(property: PropertyDef, value: unknown, range: SourceRange | null = null): string {
  const text = castText(property, value)
  if (text === null) throw invalidPropertyValue(property, value, range)
  return text
}

/** Returns the values of a new row: the declared defaults, and `[]` for arrays. */
export function defaultTexts(properties: Iterable<PropertyDef>): StoredTexts {
  const texts = new Map<string, string>()
  for (const property of properties) {
    if (property.default !== null) texts.set(property.name, storedText(property, property.default))
    else if (property.type === 'array') texts.set(property.name, '[]')
  }
  return texts
}

/** Creates the error of an invalid value. The message contains the value, or its beginning when it is long. Its `details` are those of a form. */
export function invalidPropertyValue(property: PropertyDef, value: unknown, range: SourceRange | null): QueryError {
  const valueText = plainJson(value) ?? (typeof value === 'string' ? 'text with NUL' : typeof value)
  const short = valueText.length > 60 ? `${valueText.slice(0, 57)}…` : valueText
  const message = `Property \`${property.name}\` is ${withArticle(property.type)} and cannot hold ${short}.`
  const details = { messages: { [`properties.${property.name}`]: [message] } }
  const hint = EXAMPLES[property.type] ?? null
  const mistake = { kind: 'property type', name: property.name, type: property.type } as const
  return new QueryError([{ code: 'property-type', message, range, hint, mistake, property: property.name, details }])
}

function withArticle(type: PropertyDef['type']): string {
  return `${/^[aiu]/.test(type) ? 'an' : 'a'} ${type}`
}

const EXAMPLES: Partial<Record<PropertyDef['type'], string>> = {
  integer: 'Pass a whole number, such as `42`.',
  float: 'Pass a number, such as `3.14`.',
  decimal: 'Pass a number, such as `3.14`.',
  boolean: 'Pass `true` or `false`.',
  datetime: 'Pass a time such as `2020-03-15T14:28:48Z`, or seconds since 1970.',
  date: 'Pass a day, such as `2020-03-15`.',
  time: 'Pass a time of day, such as `14:28:48`.',
  array: 'Pass a list of texts as `value_array`.',
  geojson: 'Pass a GeoJSON object, such as `{"type": "Point", "coordinates": [19.9, 50.1]}`.',
  upload: 'Pass the URL of an uploaded file.',
}
