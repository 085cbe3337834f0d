/**
 * Converts variables to values of their declared types. Conversion is lenient, because sites rely on it: numbers and texts are
 * interchangeable, and a single value becomes a list of one. A variable that was not given is absent, and the places that use it are left
 * out. Null is a value.
 */
import {
  type GraphQLEnumType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { isBlankable } from './select.ts'
import { didYouMean } from './suggest.ts'
import type { SourceRange, Problem } from './model.ts'
import { toPlainData, DataTooLarge } from '../values/plain-data.ts'
import { isObject } from '../values/json-data.ts'

/** A variable as declared by its operation. */
export interface DeclaredVariable {
  readonly name: string
  readonly type: GraphQLInputType
  /** The default value; undefined when there is none. */
  readonly default: unknown
  readonly at: SourceRange
}

interface CoercedVariables {
  /** The variables that were given, including null, or that have a default; others are absent. */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  /** Problems of values that were left out in `lenient` mode. */
  readonly omitted: readonly Problem[]
}

/**
 * The meaning of null for a variable that has a default. `default`: null selects the default, because templates also pass variables that
 * they
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
  given: Readonly<Record<string, unknown>>,
  nil: NullMeaning = 'default',
  lenient = false,
): CoercedVariables {
  const values: Record<string, unknown> = Object.create(null)
  const problems: Problem[] = []
  const left: Problem[] = []
  for (const { name, type, default: otherwise, at } of declared) {
    const problem = (message: string, hint: string | null = null): Problem => {
      return { code: 'value', message: `Variable \`$${name}\`: ${message}.`, at, hint }
    }
    let refused = false
    const wrong: ReportMismatch = (message, hint) => {
      refused = true
      ;(lenient ? left : problems).push(problem(message, hint))
      return undefined
    }
    let value: unknown = null
    try {
      value = Object.hasOwn(given, name) ? toPlainData(given[name]) : null
    } catch (error) {
      if (!(error instanceof DataTooLarge)) throw error
      problems.push(problem(error.message))
      continue
    }
    const coercedValue = value === null ? undefined : coerceValue(value, type, '', wrong)
    const isGiven = Object.hasOwn(given, name) && !refused
    if (coercedValue !== undefined && coercedValue !== null) values[name] = coercedValue
    else if (refused && !lenient) continue
    else if (otherwise !== undefined && otherwise !== null && !(isGiven && nil === 'null' && !isNonNullType(type)))
      values[name] = otherwise
    else if (isNonNullType(type)) problems.push(problem('a value is required'))
    else if (isGiven || otherwise === null) values[name] = null
  }
  return { values, problems, omitted: left }
}

type ReportMismatch = (message: string, hint?: string | null) => undefined

/** Returns the coerced value, undefined after reporting a mismatch, or null for no value. */
function coerceValue(value: unknown, type: GraphQLInputType, path: string, wrong: ReportMismatch): unknown {
  if (isNonNullType(type)) {
    const coercedValue = coerceValue(value, type.ofType, path, wrong)
    return coercedValue === null && path !== '' ? wrong(`${describePath(path)} must have a value`) : coercedValue
  }
  if (value === null || value === undefined) return null
  if (isListType(type)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    const coercedValue: unknown[] = []
    for (const [at, item] of items.entries()) {
      // Lists in filters cannot contain null, but templates may pass nil.
      if ((item === null || item === undefined) && isNonNullType(type.ofType)) continue
      const one = coerceValue(item, type.ofType, `${path}[${at}]`, wrong)
      if (one === undefined) return undefined
      coercedValue.push(one)
    }
    return coercedValue
  }
  if (isInputObjectType(type)) {
    if (!isObject(value)) return wrong(`${describePath(path)} must be an object with the fields of \`${type.name}\``)
    const fields = type.getFields()
    const coercedValue: Record<string, unknown> = Object.create(null)
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key))
        return wrong(`\`${type.name}\` has no field \`${key}\``, didYouMean(key, Object.keys(fields)) ?? null)
    }
    for (const [key, field] of Object.entries(fields)) {
      const given = Object.hasOwn(value, key) ? value[key] : undefined
      const inner = path === '' ? key : `${path}.${key}`
      if (given === undefined || given === null) {
        if (field.defaultValue !== undefined && field.defaultValue !== null) coercedValue[key] = field.defaultValue
        else if (isNonNullType(field.type) && !(given === null && isBlankable(type, key)))
          return wrong(`\`${inner}\` must have a value`)
        else if (given === null) coercedValue[key] = null
        continue
      }
      const one = coerceValue(given, field.type, inner, wrong)
      if (one === undefined) return undefined
      coercedValue[key] = one
    }
    return coercedValue
  }
  return isEnumType(type) ? coerceEnum(value, type, path, wrong) : coerceScalar(value, type.name, path, wrong)
}

function coerceEnum(value: unknown, type: GraphQLEnumType, path: string, wrong: ReportMismatch): unknown {
  const text = String(isObject(value) || Array.isArray(value) ? '' : value)
  const known = type.getValue(text) ?? type.getValue(text.toUpperCase()) ?? type.getValue(text.toLowerCase())
  if (known) return known.name
  if (text === '') return null
  const names = type.getValues().map((each) => each.name)
  return wrong(`${describePath(path)} cannot be \`${shorten(text)}\`: it is one of ${names.join(', ')}`)
}

function coerceScalar(value: unknown, name: string, path: string, wrong: ReportMismatch): unknown {
  const refuse = (what: string): undefined =>
    wrong(`${describePath(path)} must be ${what}, not \`${shorten(textForMessage(value))}\``)
  const compound = isObject(value) || Array.isArray(value)
  switch (name) {
    case 'Int': {
      if (value === '') return null
      const number = numberFrom(value)
      if (!Number.isInteger(number)) return refuse('a whole number')
      return number !== (number | 0) ? refuse('between -2147483648 and 2147483647') : number
    }
    case 'Float': {
      if (value === '') return null
      const number = numberFrom(value)
      return Number.isFinite(number) ? number : refuse('a number')
    }
    case 'Boolean':
      if (typeof value === 'boolean') return value
      if (value === 'true' || value === 't' || value === 1) return true
      if (value === 'false' || value === 'f' || value === 0) return false
      return value === '' ? null : refuse('true or false')
    case 'String':
      return compound ? JSON.stringify(value, bigintAsNumber) : String(value)
    case 'PropertyName':
    case 'ID':
      return compound ? refuse('a text') : String(value)
    default:
      // JSON scalars. JSON has no big integers.
      return typeof value === 'bigint' ? Number(value) : value
  }
}

/** Converts large integers to numbers, because readers of JSON do so too. */
function bigintAsNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

/** Returns the number that a value represents where a number is declared; NaN when it is not a number. */
export function numberFrom(value: unknown): number {
  if (typeof value === 'boolean' || typeof value === 'object') return Number.NaN
  if (typeof value === 'string')
    return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN
  return Number(value)
}

function describePath(path: string): string {
  return path === '' ? 'it' : `\`${path}\``
}

function textForMessage(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
