/** `date`: a formatted time. */
import { strftime, strftimeSeconds } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { isSeconds, parseDate } from '../../values/time.ts'
import type { Render, Textual, Value } from '../types.ts'

/**
 * The time in the format (`%Y-%m-%d`); an input that is not a time is returned unchanged. An empty format also
 * returns the input unchanged.
 */
export function date(r: Render, input: string, format: Textual): string
export function date(r: Render, input: Value, format: Textual): unknown
export function date(r: Render, input: Value, format: Textual): unknown {
  const pattern = str(format)
  if (pattern === '') return input
  const { clock } = r.services
  if (typeof input === 'number') return isSeconds(input) ? strftimeSeconds(input, pattern, clock.timeZone) : input
  const moment = parseDate(input, clock)
  return moment === null ? input : strftime(moment, pattern)
}
