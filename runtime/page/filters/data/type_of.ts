/** `type_of`: the name of a value's type. */
import { isFloat, isInteger } from '../../values/number.ts'
import { Range } from '../../values/range.ts'
import { BoxedText } from '../../values/boxed.ts'
import { Moment } from '../../values/time.ts'
import type { Value } from '../types.ts'

export const dialect = 'platform'

/** The name of the type: String, Integer, Float, Boolean, Array, Hash, Date, Time, Range or null. */
export function type_of(input: Value): string {
  if (input === null || input === undefined) return 'null'
  if (typeof input === 'string' || input instanceof BoxedText) return 'String'
  if (isInteger(input)) return 'Integer'
  if (isFloat(input)) return 'Float'
  if (typeof input === 'boolean') return 'Boolean'
  if (Array.isArray(input)) return 'Array'
  if (input instanceof Range) return 'Range'
  if (input instanceof Moment) return input.$kind === 'date' ? 'Date' : 'Time'
  return 'Hash'
}
