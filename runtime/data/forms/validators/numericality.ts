/** `numericality`: a number, optionally within bounds. */
import { isNumber, toNumber } from '../../../page/values/number.ts'
import { str } from '../../../page/values/text.ts'
import type { ValidationProblem } from '../messages.ts'
import { booleanOption, numberOption } from './options.ts'
import { type Check, NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?$/
const INTEGER = /^[-+]?\d+(?:\.0*)?$/
/** Maximum number of digits. */
const MAX_LENGTH = 400

const COMPARISONS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  greater_than: (value, limit) => value > limit,
  greater_than_or_equal_to: (value, limit) => value >= limit,
  equal_to: (value, limit) => value === limit,
  less_than: (value, limit) => value < limit,
  less_than_or_equal_to: (value, limit) => value <= limit,
  other_than: (value, limit) => value !== limit,
}

const COMPARED = Object.entries(COMPARISONS)

export const numericality: Validator = {
  description: 'The value must be a number, optionally within bounds.',
  options: {
    only_integer: { takes: 'boolean', description: 'Whether fractions are rejected.' },
    greater_than: { takes: 'number', description: 'The value must be greater than this number.' },
    greater_than_or_equal_to: { takes: 'number', description: 'The value must be this number or greater.' },
    equal_to: { takes: 'number', description: 'The value must equal this number.' },
    less_than: { takes: 'number', description: 'The value must be less than this number.' },
    less_than_or_equal_to: { takes: 'number', description: 'The value must be this number or less.' },
    other_than: { takes: 'number', description: 'The value must not equal this number.' },
    odd: { takes: 'boolean', description: 'Whether the value must be odd.' },
    even: { takes: 'boolean', description: 'Whether the value must be even.' },
  },
  check(value, check) {
    const text = numberText(value)
    if (text === null) return problemOf('not_a_number')
    const isInteger = INTEGER.test(text)
    if (booleanOption(check, 'only_integer', false) && !isInteger) return problemOf('not_an_integer')
    const problems: ValidationProblem[] = []
    const number = Number(text)
    for (const [key, holds] of COMPARED) {
      const bound = numberOption(check, key)
      if (bound !== null && !holds(number, bound)) problems.push({ key, count: bound })
    }
    problems.push(...parity(text, isInteger, check))
    return problems.length === 0 ? NO_PROBLEMS : problems
  },
}

function numberText(value: unknown): string | null {
  if (isNumber(value)) {
    const number = toNumber(value)
    return Number.isFinite(number) ? (typeof value === 'bigint' ? `${value}` : decimalText(number)) : null
  }
  if (typeof value !== 'string') return null
  const text = str(value).trim()
  return text.length <= MAX_LENGTH && NUMBER.test(text) && Number.isFinite(Number(text)) ? text : null
}

/** Returns the digits of an integer, without an exponent. */
function decimalText(number: number): string {
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? `${BigInt(number)}` : `${number}`
}

function parity(text: string, isInteger: boolean, check: Check): readonly ValidationProblem[] {
  const lastDigit = Number(/(\d)(?:\.0*)?$/.exec(text)?.[1] ?? 0)
  const odd = isInteger && lastDigit % 2 === 1
  const even = isInteger && lastDigit % 2 === 0
  const problems: ValidationProblem[] = []
  if (booleanOption(check, 'odd', false) && !odd) problems.push({ key: 'odd' })
  if (booleanOption(check, 'even', false) && !even) problems.push({ key: 'even' })
  return problems
}
