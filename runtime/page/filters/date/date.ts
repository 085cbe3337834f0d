/** `date`: a time in the words of a format. */
import { strftime, strftimeSeconds } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { isSeconds, parseDate } from '../../values/time.ts'
import type { Render, Textual, Value } from '../types.ts'

/** The time in the format (`%Y-%m-%d`); what is no time, or has no format, stays as it is. */
export function date(r: Render, input: Value, format: Textual): unknown {
  const pattern = str(format)
  if (pattern === '') return input
  const { clock } = r.services
  if (typeof input === 'number') return isSeconds(input) ? strftimeSeconds(input, pattern, clock.timeZone) : input
  const moment = parseDate(input, clock)
  return moment === null ? input : strftime(moment, pattern)
}
