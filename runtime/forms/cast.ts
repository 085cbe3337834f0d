/** Values by their declared types: text of HTML forms becomes numbers, booleans and lists, by the casts that store properties. */
import { QueryError } from '../query/model.ts'
import { storedText } from '../query/writes/values.ts'
import type { FieldDef, PropertyDef } from '../site.ts'
import { isSentFile, takesFile } from './sent-file.ts'

/** The JSON text that would be stored; null for a value that does not fit its type. */
function castText(field: FieldDef, value: unknown): string | null {
  const property: PropertyDef = { name: field.name, type: field.type, default: null, belongsTo: null, options: null }
  try {
    return storedText(property, value)
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

/** Whether the field can hold the value. A file fits wherever one is taken. */
export function fits(field: FieldDef, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string' && field.type === 'string') return !value.includes('\0')
  if (takesFile(field))
    return isSentFile(value) || (typeof value === 'string' ? !value.includes('\0') : isPlain(field, value))
  return castText(field, value) !== null
}

function isPlain(field: FieldDef, value: unknown): boolean {
  return typeof value === 'object' && castText(field, value) !== null
}

/**
 * The value in its declared type: `'12'` → 12 of an integer, `'on'` → true of a boolean. Digits that a number cannot carry stay text.
 * What does not fit, and files, stay as they are; blank text of anything but a text is null.
 */
export function typed(field: FieldDef, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (takesFile(field)) return value === '' ? null : value
  if (typeof value === 'string' && field.type === 'string') return value
  const text = castText(field, value)
  if (text === null) return value
  if (field.type === 'integer' || field.type === 'decimal') return numeral(text)
  return JSON.parse(text) as unknown
}

function numeral(text: string): number | string | null {
  if (text === 'null') return null
  const number = Number(text)
  return `${number}` === text ? number : text
}
