/**
 * Converts variables to values of their declared types. Conversion is lenient, because sites rely on it: numbers and texts are
 * interchangeable, and a single value becomes a list of one. A variable that was not given is absent. The conditions and arguments that use
 * it are then omitted. Null is a value.
 */
import {
  type GraphQLEnumType,
  getNamedType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { isBlankable } from './select.ts'
import { correctionOf } from './suggest.ts'
import type { SourceRange, Problem } from './model.ts'
import { Float } from '../../page/values/number.ts'
import { toJson } from '../../page/values/json.ts'
import { str } from '../../page/values/text.ts'
import { toPlainData, DataTooLarge } from '../values/plain-data.ts'
import { isObject } from '../values/json-data.ts'

/** A variable as declared by its operation. */
export interface DeclaredVariable {
  readonly name: string
  readonly type: GraphQLInputType
  /** The default value; undefined when there is none. */
  readonly default: unknown
  readonly range: SourceRange
}

interface CoercedVariables {
  /** The values of all variables that were given (including null) or have a default. */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  /** Problems of invalid values that were treated as not given in `lenient` mode. */
  readonly omitted: readonly Problem[]
}

/**
 * How null is treated when the variable has a default. `default`: null selects the default, because templates also pass variables that they
 * were not given. `null`: null is the value, as GraphQL specifies. Without a default, null is always the value.
 */
export type NullMeaning = 'default' | 'null'

/**
 * Coerces variables. Unknown names are ignored, because templates pass whole objects. Never throws; `problems` lists
 * the errors.
 * @param lenient whether an invalid value counts as not given
 */
export function coerceVariables(
  declared: readonly DeclaredVariable[],
  givenVariables: Readonly<Record<string, unknown>>,
  nullMeaning: NullMeaning = 'default',
  lenient = false,
): CoercedVariables {
  const values: Record<string, unknown> = Object.create(null)
  const problems: Problem[] = []
  const omittedProblems: Problem[] = []
  for (const { name, type, default: otherwise, range } of declared) {
    const problem = (message: string, hint: string | null = null): Problem => {
      const mistake = { kind: 'refused value', name } as const
      return { code: 'value', message: `Variable \`$${name}\`: ${message}.`, range, hint, mistake }
    }
    let isRejected = false
    const reportMismatch: ReportMismatch = (message, hint) => {
      isRejected = true
      ;(lenient ? omittedProblems : problems).push(problem(message, hint))
      return undefined
    }
    let value: unknown = null
    try {
      value = Object.hasOwn(givenVariables, name) ? toPlainData(givenVariables[name], true) : null
    } catch (error) {
      if (!(error instanceof DataTooLarge)) throw error
      problems.push(problem(error.message))
      continue
    }
    const coercedValue = value === null ? undefined : coerceValue(value, type, '', reportMismatch)
    const isGiven = Object.hasOwn(givenVariables, name) && !isRejected
    if (coercedValue !== undefined && coercedValue !== null) values[name] = coercedValue
    else if (isRejected && !lenient) continue
    else if (
      otherwise !== undefined &&
      otherwise !== null &&
      !(isGiven && nullMeaning === 'null' && !isNonNullType(type))
    )
      values[name] = otherwise
    else if (isNonNullType(type)) problems.push(problem('a value is required'))
    else if (isGiven || otherwise === null) values[name] = null
  }
  return { values, problems, omitted: omittedProblems }
}

type ReportMismatch = (message: string, hint?: string | null) => undefined

/** Returns the coerced value, or null for no value. Returns undefined after it has reported a mismatch. */
function coerceValue(value: unknown, type: GraphQLInputType, path: string, reportMismatch: ReportMismatch): unknown {
  if (isNonNullType(type)) {
    const coercedValue = coerceValue(value, type.ofType, path, reportMismatch)
    return coercedValue === null && path !== ''
      ? reportMismatch(`${describePath(path)} must have a value`)
      : coercedValue
  }
  if (value === null || value === undefined) return null
  if (value instanceof Float && !TEXTS.has(getNamedType(type).name))
    return coerceValue(value.$value, type, path, reportMismatch)
  if (isListType(type)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    const coercedValue: unknown[] = []
    for (const [at, item] of items.entries()) {
      // Skips nil. The elements of lists in filters must not be null, but templates may pass nil.
      if ((item === null || item === undefined) && isNonNullType(type.ofType)) continue
      const coercedItem = coerceValue(item, type.ofType, `${path}[${at}]`, reportMismatch)
      if (coercedItem === undefined) return undefined
      coercedValue.push(coercedItem)
    }
    return coercedValue
  }
  if (isInputObjectType(type)) {
    if (!isObject(value))
      return reportMismatch(`${describePath(path)} must be an object with the fields of \`${type.name}\``)
    const fields = type.getFields()
    const coercedValue: Record<string, unknown> = Object.create(null)
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key))
        return reportMismatch(`\`${type.name}\` has no field \`${key}\``, correctionOf(key, Object.keys(fields)).hint)
    }
    for (const [key, field] of Object.entries(fields)) {
      const fieldValue = Object.hasOwn(value, key) ? value[key] : undefined
      const fieldPath = path === '' ? key : `${path}.${key}`
      if (fieldValue === undefined || fieldValue === null) {
        if (field.defaultValue !== undefined && field.defaultValue !== null) coercedValue[key] = field.defaultValue
        else if (isNonNullType(field.type) && !(fieldValue === null && isBlankable(type, key)))
          return reportMismatch(`\`${fieldPath}\` must have a value`)
        else if (fieldValue === null) coercedValue[key] = null
        continue
      }
      const coercedField = coerceValue(fieldValue, field.type, fieldPath, reportMismatch)
      if (coercedField === undefined) return undefined
      coercedValue[key] = coercedField
    }
    return coercedValue
  }
  return isEnumType(type)
    ? coerceEnum(value, type, path, reportMismatch)
    : coerceScalar(value, type.name, path, reportMismatch)
}

function coerceEnum(value: unknown, type: GraphQLEnumType, path: string, reportMismatch: ReportMismatch): unknown {
  const text = String(isObject(value) || Array.isArray(value) ? '' : value)
  const enumValue = type.getValue(text) ?? type.getValue(text.toUpperCase()) ?? type.getValue(text.toLowerCase())
  if (enumValue) return enumValue.name
  if (text === '') return null
  const names = type.getValues().map((each) => each.name)
  return reportMismatch(`${describePath(path)} must be one of ${names.join(', ')}, not \`${shorten(text)}\``)
}

/** Scalars of which a whole float is the text with its decimal point. */
const TEXTS: ReadonlySet<string> = new Set(['String', 'ID', 'PropertyName'])

function coerceScalar(value: unknown, name: string, path: string, reportMismatch: ReportMismatch): unknown {
  const reportExpectedType = (expectedType: string): undefined =>
    reportMismatch(`${describePath(path)} must be ${expectedType}, not \`${shorten(valueForMessage(value))}\``)
  const isCompound = isObject(value) ? !(value instanceof Float) : Array.isArray(value)
  switch (name) {
    case 'Int': {
      if (value === '') return null
      const number = toNumber(value)
      if (!Number.isInteger(number)) return reportExpectedType('a whole number')
      return number !== (number | 0) ? reportExpectedType('between -2147483648 and 2147483647') : number
    }
    case 'Float': {
      if (value === '') return null
      const number = toNumber(value)
      return Number.isFinite(number) ? number : reportExpectedType('a number')
    }
    case 'Boolean':
      if (typeof value === 'boolean') return value
      if (value === 'true' || value === 't' || value === 1) return true
      if (value === 'false' || value === 'f' || value === 0) return false
      return value === '' ? null : reportExpectedType('true or false')
    case 'String':
      return isCompound ? toJson(value) : str(value)
    case 'PropertyName':
    case 'ID':
      return isCompound ? reportExpectedType('a text') : str(value)
    default:
      // Scalars that hold JSON, which has no big integers.
      return typeof value === 'bigint' ? Number(value) : isCompound ? toPlainData(value) : value
  }
}

/** Returns the number that a value represents where a number is declared; NaN when it is not a number. */
export function toNumber(value: unknown): number {
  if (typeof value === 'boolean' || typeof value === 'object') return Number.NaN
  if (typeof value === 'string')
    return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN
  return Number(value)
}

function describePath(path: string): string {
  return path === '' ? 'it' : `\`${path}\``
}

function valueForMessage(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
