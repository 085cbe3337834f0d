/** Arguments of filters that take one of a closed list: what the filter refuses when it runs is reported where it is written. */
import { ArgumentFault } from '../../../../runtime/page/fault.ts'
import { findAlgorithm, formatBytes, KEYED_ALGORITHMS } from '../../../../runtime/page/filters/crypto/algorithms.ts'
import { stepArgument, zoneArgument } from '../../../../runtime/page/filters/date/time-arguments.ts'
import { findCurrency } from '../../../../runtime/page/filters/number/money.ts'
import { findEncoding } from '../../../../runtime/page/filters/text/encoding-names.ts'

/** A closed list: its words in a message, and the check of the filters themselves, which throws for what is not on it. */
interface ClosedList {
  readonly takes: string
  readonly check: (text: string, filter: string) => unknown
}

/** An argument that is left blank counts as absent. */
const ZONE: ClosedList = {
  takes: 'time zone such as `Europe/Warsaw`',
  check: (text, filter) => text.trim() === '' || zoneArgument(text, 'Etc/UTC', filter),
}
const UNIT: ClosedList = {
  takes: 'unit of time such as `d`, `h` or `mo`',
  check: (text, filter) => stepArgument(1, text, filter),
}
const CURRENCY: ClosedList = { takes: 'currency such as `USD`', check: findCurrency }
const ENCODING: ClosedList = { takes: 'encoding such as `UTF-8`', check: findEncoding }
const FORM: ClosedList = {
  takes: 'form: `hex`, `base64` or `none`',
  check: (text, filter) => formatBytes(Buffer.alloc(0), text, filter),
}
const ALGORITHM: ClosedList = {
  takes: 'algorithm such as `sha256`',
  check: (text, filter) => findAlgorithm(text, filter),
}
const KEYED_ALGORITHM: ClosedList = {
  takes: ALGORITHM.takes,
  check: (text, filter) => findAlgorithm(text, filter, KEYED_ALGORITHMS),
}

/** By filter, the lists of its arguments after the piped value; null where an argument has none. */
const CLOSED_ARGUMENTS: Readonly<Record<string, readonly (ClosedList | null)[]>> = {
  add_to_time: [null, UNIT],
  date_add: [null, UNIT],
  amount_to_fractional: [CURRENCY],
  compute_hmac: [null, KEYED_ALGORITHM, FORM],
  digest: [ALGORITHM, FORM],
  encode: [ENCODING, ENCODING],
  force_encoding: [ENCODING],
  fractional_to_amount: [CURRENCY],
  pricify: [CURRENCY],
  pricify_cents: [CURRENCY],
  scrub: [ENCODING, ENCODING],
  strftime: [null, ZONE],
  to_time: [ZONE],
}

/**
 * What a filter takes at a place, where it refuses a text there; null where it takes the text, or any.
 * @param at number of the argument, from 0, without the piped value
 */
export function refusedBy(filter: string, at: number, text: string): string | null {
  const list = Object.hasOwn(CLOSED_ARGUMENTS, filter) ? CLOSED_ARGUMENTS[filter]?.[at] : null
  if (list === null || list === undefined) return null
  try {
    list.check(text, filter)
    return null
  } catch (error) {
    if (error instanceof ArgumentFault) return list.takes
    throw error
  }
}
