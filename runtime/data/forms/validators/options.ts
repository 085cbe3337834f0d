/** Reads the options of rules: numbers, lists and ranges, which may be text after rendering Liquid. */
import { LiquidFault } from '../../../page/fault.ts'
import { isNumber, toNumber } from '../../../page/values/number.ts'
import { Range } from '../../../page/values/range.ts'
import { parseJson } from '../../../page/values/json.ts'
import { str } from '../../../page/values/text.ts'
import type { Check } from './validator.ts'

/** Returns the value of an option; null when the rule does not have the option. */
export function option(check: Check, name: string): unknown {
  return Object.hasOwn(check.options, name) ? (check.options[name] ?? null) : null
}

/**
 * Returns an option as a number; null when the option is missing.
 * @throws LiquidFault for other values
 */
export function numberOption(check: Check, name: string): number | null {
  const value = option(check, name)
  if (value === null || value === '') return null
  const number = isNumber(value) ? toNumber(value) : Number(str(value).trim() || Number.NaN)
  if (Number.isNaN(number)) throw invalidOption(check, name, 'a number')
  return number
}

/** Returns an option as a boolean. Text is parsed. */
export function booleanOption(check: Check, name: string, defaultValue: boolean): boolean {
  const value = option(check, name)
  return value === null ? defaultValue : value !== false && value !== 'false' && value !== '0' && value !== 0
}

/** Returns an option as a list; null when it is missing. Text is parsed as JSON, and otherwise is a list of one element. */
export function listOption(check: Check, name: string): readonly unknown[] | null {
  const value = option(check, name)
  if (value === null || Array.isArray(value)) return value
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return [value]
  const parsed: unknown = parseJson(value)
  return Array.isArray(parsed) ? parsed : [value]
}

const SPAN = /^\(?\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*\)?$/

/**
 * Returns the two bounds in an option, `[3, 20]` or `3..20`. Null when the option is missing.
 * @throws LiquidFault for other values
 */
export function spanOption(check: Check, name: string): readonly [number, number] | null {
  const value = option(check, name)
  if (value === null) return null
  if (value instanceof Range) return [Number(value.$first), Number(value.$last)]
  const span = spanOf(value)
  if (span !== null) return span
  const ends = (listOption(check, name) ?? []).map((end) =>
    isNumber(end) ? toNumber(end) : Number(str(end) || Number.NaN),
  )
  const [first, last] = ends
  if (ends.length !== 2 || first === undefined || last === undefined || Number.isNaN(first) || Number.isNaN(last))
    throw invalidOption(check, name, 'a range of two numbers')
  return [first, last]
}

/** Returns the bounds in a text such as `3..20`; null for other values. */
export function spanOf(value: unknown): readonly [number, number] | null {
  const match = typeof value === 'string' ? SPAN.exec(value.trim()) : null
  return match === null ? null : [Number(match[1]), Number(match[2])]
}

/** Creates the error of an invalid option. It is a LiquidFault, because the mistake is the site's and not the visitor's. */
export function invalidOption(check: Check, name: string, expected: string): LiquidFault {
  const valueText = str(option(check, name)).slice(0, 60)
  return new LiquidFault(`the option '${name}' of the field ${check.path} is '${valueText}', expected ${expected}`)
}
