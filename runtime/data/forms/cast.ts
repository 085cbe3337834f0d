/**
 * Converts values to their declared types, with the same casts as stored properties. The text of HTML forms becomes numbers, booleans and
 * lists.
 */
import { castText } from '../values/cast.ts'
import type { FieldDef } from '../../page/site.ts'
import { isSentFile, takesFile } from './sent-file.ts'

/** Returns the JSON text to store; null for a value that does not fit the field's type. */
function castFieldText({ name, type, located }: FieldDef, value: unknown): string | null {
  return castText({ name, type, default: null, belongsTo: null, options: null, ...(located && { located }) }, value)
}

/** Returns whether the field can store the value. Every file field accepts files. */
export function fitsField(field: FieldDef, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string' && field.type === 'string') return !value.includes('\0')
  if (takesFile(field))
    return isSentFile(value) || (typeof value === 'string' ? !value.includes('\0') : isPlain(field, value))
  return castFieldText(field, value) !== null
}

function isPlain(field: FieldDef, value: unknown): boolean {
  return typeof value === 'object' && castFieldText(field, value) !== null
}

/**
 * Returns the value in its declared type: `'12'` → 12 for an integer, `'on'` → true for a boolean. Numbers that a double cannot
 * represent remain text. Files and values that do not fit are unchanged; blank text is null, except for text fields.
 */
export function toDeclaredType(field: FieldDef, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (takesFile(field)) return value === '' ? null : value
  if (typeof value === 'string' && field.type === 'string') return value
  const text = castFieldText(field, value)
  if (text === null) return value
  if (field.type === 'integer' || field.type === 'decimal') return numberOrDigits(text)
  return JSON.parse(text)
}

function numberOrDigits(text: string): number | string | null {
  if (text === 'null') return null
  const number = Number(text)
  return `${number}` === text ? number : text
}
