/** Reads the fields of records and users in the JSON of another site, with the types and forms of local rows. */
import { getNamedType, getNullableType, isListType } from 'graphql'
import { float } from '../../../page/values/number.ts'
import type { Build, Selected } from '../model.ts'
import { plainArguments } from '../project.ts'
import { numeral, parseText, PROPERTY_FIELDS, type PropertyForm, selectedForm } from '../property-form.ts'
import { isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ReadOptions {
  readonly variables: Fields
  /** Whether the result is for templates, which print a float without a fraction as `4.0`. */
  readonly floats: boolean
}

/**
 * Fields that check or create credentials. Another site must not decide them, and its secrets do not belong in an answer.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['authenticate', 'encrypted_password', 'jwt_token', 'otp', 'otp_tokens', 'temporary_token'],
])

/** Reports the fields of a selection that another site cannot answer. */
export function reportUnreadable(call: Selected, build: Build): void {
  for (const { name, range } of call.selection.flatMap(withNested)) {
    if (!CREDENTIALS.has(name)) continue
    const message = `The field \`${name}\` is not available for users of other sites.`
    build.reportProblem({ code: 'invalid', message, range, hint: null, mistake: { kind: 'unknown field', name } })
  }
}

function withNested(selected: Selected): readonly Selected[] {
  return [selected, ...selected.selection.flatMap(withNested)]
}

/**
 * Returns the value of a field of an object. Properties are read from its `properties`, or otherwise from the object itself. All other
 * fields are read under their own names, also relations: their arguments were for the database of the other site. A value of a wrong type
 * becomes null.
 */
export function readRemoteField(object: Fields, call: Selected, options: ReadOptions): unknown {
  const args = plainArguments(call.args, options.variables)
  const form = PROPERTY_FIELDS[call.name]
  if (form !== undefined) return inForm(propertyOf(object, args['name']), form, options)
  switch (call.name) {
    case 'properties':
      return propertiesOf(object, args['select'], options)
    case 'property_upload':
      return uploadOf(propertyOf(object, args['name']))
    case 'versions':
      return versionsOf(own(object, 'versions'), args['names'])
    default:
      return typed(own(object, call.name), call)
  }
}

function own(object: Fields, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : null
}

function propertyOf(object: Fields, name: unknown): unknown {
  if (typeof name !== 'string') return null
  const properties = own(object, 'properties')
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : own(object, name)
}

function propertiesOf(object: Fields, select: unknown, options: ReadOptions): unknown {
  const properties = own(object, 'properties')
  if (!Array.isArray(select) || select.length === 0) return isObject(properties) ? properties : null
  const selected: Record<string, unknown> = {}
  for (const item of select as readonly unknown[]) {
    if (!isObject(item) || typeof item['name'] !== 'string') continue
    const value = inForm(propertyOf(object, item['name']), selectedForm(item['attribute_type']), options)
    // An assignment would set the prototype when the name is `__proto__`.
    Object.defineProperty(selected, item['name'], { value, enumerable: true, configurable: true, writable: true })
  }
  return selected
}

const TRUE = /^(?:true|t|1|yes|y|on)$/i
/** The limits of `propertyResult` for numbers in texts. */
const MAX_FLOAT = 1e308
const MAX_INTEGER = 2 ** 53

/** Returns a property in a form, by the same rules as `propertyResult` for an undeclared property. */
function inForm(value: unknown, form: PropertyForm, { floats }: ReadOptions): unknown {
  switch (form) {
    case 'string':
      return textOf(value)
    case 'array':
      return textsOf(value)
    case 'boolean':
      return TRUE.test(textOf(value) ?? '')
    case 'float': {
      const number = numberOf(value)
      if (number === null || Math.abs(number) >= MAX_FLOAT) return null
      return floats ? float(number) : number
    }
    case 'int': {
      const number = numberOf(value)
      return number === null || Math.abs(number) >= MAX_INTEGER ? null : Math.trunc(number)
    }
    case 'json':
      return parseText(value)
    case 'object': {
      const parsed = parseText(value)
      return typeof parsed === 'object' ? parsed : null
    }
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function textsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.map(textOf).filter((text) => text !== null)
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? numeral(value) : null
}

/** Returns an uploaded file. The other site stores it, so its address is the one that the other site gives. */
function uploadOf(value: unknown): unknown {
  if (isObject(value)) return value
  return typeof value === 'string' ? { url: value } : null
}

function versionsOf(versions: unknown, names: unknown): unknown {
  const wanted = isObject(versions) ? Object.entries(versions) : []
  return Object.fromEntries(
    wanted
      .filter(([name]) => !Array.isArray(names) || names.includes(name))
      .map(([name, version]) => [name, textOf(isObject(version) ? own(version, 'url') : version)]),
  )
}

/** Returns a value if it fits the type of the field; otherwise null, or an empty list where null is not allowed. */
function typed(value: unknown, call: Selected): unknown {
  const type = getNullableType(call.type)
  const isList = isListType(type)
  if (call.selection.length > 0) {
    if (!isList) return isObject(value) ? value : null
    if (Array.isArray(value)) return value.filter(isObject)
    return type === call.type ? null : []
  }
  if (isList) return Array.isArray(value) ? textsOf(value) : type === call.type ? null : []
  return typedScalar(value, getNamedType(type).name)
}

function typedScalar(value: unknown, type: string): unknown {
  switch (type) {
    case 'ID':
    case 'String':
    case 'JSONDate':
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
    case 'Int':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
    case 'Float':
      return typeof value === 'number' ? value : null
    case 'Boolean':
      return typeof value === 'boolean' ? value : null
    default:
      return value
  }
}
