/** `to_date`: a day read from text, seconds or a time. */
import type { Moment } from '../../values/time.ts'
import { dateArgument } from './time-arguments.ts'
import type { Render, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The day that the input represents.
 * @throws ArgumentFault for an input that is not a time
 */
export function to_date(r: Render, input: Value): Moment {
  return dateArgument(input, r.services.clock, 'to_date')
}
