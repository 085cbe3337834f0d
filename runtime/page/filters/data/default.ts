/** `default`: a fallback for an empty input. */
import { getOption } from '../arguments.ts'
import { isEmpty, truthy } from '../../values/truth.ts'
import type { NamedArguments, Value } from '../types.ts'

/** The input, or `fallback` when it is nil, false or empty. `allow_false: true` keeps false. */
export function default_<Input, Fallback>(input: Input, fallback: Fallback): NonNullable<Input> | Fallback
export function default_(input: Value, fallback?: Value, options?: NamedArguments<{ allow_false?: Value }>): unknown
export function default_(
  input: Value,
  fallback: Value = '',
  options: NamedArguments<{ allow_false?: Value }> = null,
): unknown {
  if (typeof input === 'string') return input === '' ? fallback : input
  if (input === false) return truthy(getOption(options, 'allow_false')) ? false : fallback
  return input === null || input === undefined || isEmpty(input) ? fallback : input
}
