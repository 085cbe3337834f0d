/** Comparing times with the options of `datetime` and `date`: written out, or as a phrase (`3 days ago`). */
import { naturalTime } from '../../../page/values/natural-time.ts'
import { str } from '../../../page/values/text.ts'
import { isoText, momentOf } from '../../values/moments.ts'
import { Moment } from '../../../page/values/time.ts'
import type { ValidationProblem } from '../messages.ts'
import { option, unusable } from './options.ts'
import type { Check, Problems } from './validator.ts'

/** Whether the order of two times (negative, zero, positive) is the one that an option asks for. */
export type OrderTests = Readonly<Record<string, (order: number) => boolean>>

/**
 * The problems of a time under the options that `orders` lists.
 * @param scale what of a time counts, as a number @param word begins the message
 * @throws LiquidFault for an option that names no time
 */
export function compared(
  moment: Moment,
  orders: OrderTests,
  scale: (m: Moment) => number,
  word: 'Date' | 'Datetime',
  at: Check,
): Problems {
  const problems: ValidationProblem[] = []
  for (const [name, holds] of Object.entries(orders)) {
    const value = option(at, name)
    if (value === null || value === '') continue
    const bound = readMoment(value, at)
    if (bound === null) throw unusable(at, name, 'a time')
    if (holds(scale(moment) - scale(bound))) continue
    problems.push({
      key: word.toLowerCase(),
      text: `${word} is not ${name.replace(/^is_/, '').replaceAll('_', ' ')} ${str(value)}`,
    })
  }
  return problems
}

/** The time that an option names; written ones are UTC where they name no zone, as stored ones are. */
function readMoment(value: unknown, at: Check): Moment | null {
  const { clock } = at.checking.r.services
  if (value instanceof Moment) return value
  return momentOf(value) ?? naturalTime(str(value), clock, clock.timeZone)
}

/** Milliseconds since the epoch. */
export function millis(m: Moment): number {
  return m.$seconds * 1000 + Math.floor(m.$nanos / 1e6)
}

/** Days since the epoch, of the day that the time's own wall clock shows. */
export function days(m: Moment): number {
  return Math.floor((m.$seconds + m.$offset) / 86_400)
}

/** The time that a sent or stored value is; null for none. */
export function valueMoment(value: unknown): Moment | null {
  return value instanceof Moment ? momentOf(isoText(value)) : momentOf(value)
}
