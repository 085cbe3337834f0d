/** `is_date_in_past`: whether a time is in the past. */
import { timeArgument } from './time-arguments.ts'
import type { Render, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * Whether the time is before now.
 * @throws ArgumentFault for an input that is not a time
 */
export function is_date_in_past(r: Render, input: Value): boolean {
  const { clock } = r.services
  const moment = timeArgument(input, clock, 'is_date_in_past', clock.timeZone)
  return moment.$seconds * 1000 + moment.$nanos / 1e6 < clock.now()
}
