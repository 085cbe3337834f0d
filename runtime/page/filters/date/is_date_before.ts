/** `is_date_before`: whether one time is earlier than another. */
import { timeArgument } from './time-arguments.ts'
import type { Render, Value } from '../types.ts'

export const aliases = ['date_before'] as const
export const dialect = 'platform'

/**
 * Whether the first time is earlier than the second.
 * @throws ArgumentFault for an input that is not a time
 */
export function is_date_before(r: Render, input: Value, other: Value): boolean {
  const { clock } = r.services
  const first = timeArgument(input, clock, 'is_date_before', clock.timeZone)
  const second = timeArgument(other, clock, 'is_date_before', clock.timeZone)
  return first.$seconds < second.$seconds || (first.$seconds === second.$seconds && first.$nanos < second.$nanos)
}
