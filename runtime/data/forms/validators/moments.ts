/** Compares times with the options of `datetime` and `date`, which are times or phrases (`3 days ago`). */
import { parseNaturalTime } from '../../../page/values/natural-time.ts'
import { str } from '../../../page/values/text.ts'
import { isoText, momentOf } from '../../values/moments.ts'
import { Moment } from '../../../page/values/time.ts'
import type { ValidationProblem } from '../messages.ts'
import { option, invalidOption } from './options.ts'
import type { Check, Problems } from './validator.ts'

/** For each option, whether the result of comparing two times (negative, zero or positive) satisfies the option. */
export type OrderTests = Readonly<Record<string, (order: number) => boolean>>

/**
 * Checks a time against the options in `orders` and returns the problems.
 * @param scale maps a time to the number to compare
 * @param label first word of the messages
 * @throws LiquidFault for an option that is not a time
 */
export function compareWithOptions(
  moment: Moment,
  orders: OrderTests,
  scale: (m: Moment) => number,
  label: 'Date' | 'Datetime',
  check: Check,
): Problems {
  const problems: ValidationProblem[] = []
  for (const [name, holds] of Object.entries(orders)) {
    const value = option(check, name)
    if (value === null || value === '') continue
    const bound = readMoment(value, check)
    if (bound === null) throw invalidOption(check, name, 'a time')
    if (holds(scale(moment) - scale(bound))) continue
    problems.push({
      key: label.toLowerCase(),
      text: `${label} is not ${name.replace(/^is_/, '').replaceAll('_', ' ')} ${str(value)}`,
    })
  }
  return problems
}

/** Reads the time in an option. Times without a zone are in UTC, as stored times are. */
function readMoment(value: unknown, check: Check): Moment | null {
  const { clock } = check.host.r.services
  if (value instanceof Moment) return value
  return momentOf(value) ?? parseNaturalTime(str(value), clock, clock.timeZone)
}

/** Returns the milliseconds since the epoch. */
export function millis(m: Moment): number {
  return m.$seconds * 1000 + Math.floor(m.$nanos / 1e6)
}

/** Returns the number of days from the epoch to the date that the time has in its own zone. */
export function days(m: Moment): number {
  return Math.floor((m.$seconds + m.$offset) / 86_400)
}

/** Returns the time of a sent or stored value; null for values of other types. */
export function valueMoment(value: unknown): Moment | null {
  return value instanceof Moment ? momentOf(isoText(value)) : momentOf(value)
}
