/** The forms of properties in results, which SQL and JavaScript share. */
import { parseJsonText } from '../values/json-data.ts'

/** The form of a property in a result, named as the suffix of the field `property_…` or as an `attribute_type`. */
export type PropertyForm = 'string' | 'array' | 'boolean' | 'float' | 'int' | 'json' | 'object'

/** The forms of the fields that return one property. */
export const PROPERTY_FIELDS: Readonly<Record<string, PropertyForm>> = {
  property: 'string',
  property_array: 'array',
  property_boolean: 'boolean',
  property_float: 'float',
  property_int: 'int',
  property_json: 'json',
  property_object: 'object',
}

const FORMS: ReadonlyMap<unknown, PropertyForm> = new Map(Object.values(PROPERTY_FIELDS).map((form) => [form, form]))

/** Returns the form that an `attribute_type` names. */
export function selectedForm(attributeType: unknown): PropertyForm {
  return FORMS.get(attributeType) ?? 'string'
}

/** Parses the JSON text of a property, because text properties may contain documents. */
export function parseText(value: unknown): unknown {
  return typeof value === 'string' ? (parseJsonText(value) ?? value) : (value ?? null)
}

/** Returns the number in a text, by the same rules as `propertySql`. */
export function numeral(text: string): number | null {
  return /^[-+]?\d{1,255}(?:\.\d{0,255})?(?:e[-+]?\d{1,2})?$/i.test(text) ? Number(text) : null
}
