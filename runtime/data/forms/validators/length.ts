/** `length`: the number of characters of a text or elements of a list. */
import { hashSize, isHash } from '../../../page/values/hash.ts'
import { countCharacters, str } from '../../../page/values/text.ts'
import { numberOption, spanOption } from './options.ts'
import { type Check, NO_PROBLEMS, type Validator, type Problems, problemOf } from './validator.ts'

export const length: Validator = {
  description: 'Limits the number of characters of a text, or of elements of a list.',
  options: {
    minimum: { takes: 'number', description: 'The minimum.' },
    maximum: { takes: 'number', description: 'The maximum.' },
    is: { takes: 'number', description: 'The exact number.' },
    in: { takes: 'list', description: 'The minimum and the maximum.' },
    within: { takes: 'list', description: 'Another name of `in`.' },
  },
  check(value, check) {
    const size = sizeOf(value)
    const span = spanOption(check, 'in') ?? spanOption(check, 'within')
    return bounds(size, span?.[0] ?? numberOption(check, 'minimum'), span?.[1] ?? numberOption(check, 'maximum'), check)
  },
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isHash(value) ? hashSize(value) : countCharacters(str(value))
}

function bounds(size: number, minimum: number | null, maximum: number | null, check: Check): Problems {
  if (minimum !== null && size < minimum) return problemOf('too_short', minimum)
  if (maximum !== null && size > maximum) return problemOf('too_long', maximum)
  const exact = numberOption(check, 'is')
  return exact !== null && size !== exact ? problemOf('wrong_length', exact) : NO_PROBLEMS
}
