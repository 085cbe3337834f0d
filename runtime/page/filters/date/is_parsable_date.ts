/** `is_parsable_date`: whether a value can be read as a date. */
import { readTime } from './time-arguments.ts'
import type { Render, Value } from '../types.ts'

export const dialect = 'platform'

/** Whether `to_date` can read the value. */
export function is_parsable_date(r: Render, input: Value): boolean {
  const { clock } = r.services
  return readTime(input, clock, clock.timeZone) !== null
}
