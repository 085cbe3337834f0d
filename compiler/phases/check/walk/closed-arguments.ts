/** Filter arguments with a closed list of values. A literal that the filter would refuse at run time is reported at compile time. */
import { ArgumentFault } from '../../../../runtime/page/fault.ts'
import { findAlgorithm, formatBytes, KEYED_ALGORITHMS } from '../../../../runtime/page/filters/crypto/algorithms.ts'
import { stepArgument, zoneArgument } from '../../../../runtime/page/filters/date/time-arguments.ts'
import { findCurrency } from '../../../../runtime/page/filters/number/money.ts'
import { findEncoding } from '../../../../runtime/page/filters/text/encoding-names.ts'

/** A closed list of values. */
interface ClosedList {
  /** The phrase for the list in a message. */
  readonly phrase: string
  /** The check that the filters themselves use. It throws for a value that is not on the list. */
  readonly check: (text: string, filter: string) => unknown
}

/** A blank argument counts as absent. */
const ZONE: ClosedList = {
  phrase: 'time zone such as `Europe/Warsaw`',
  check: (text, filter) => text.trim() === '' || zoneArgument(text, 'Etc/UTC', filter),
}
const UNIT: ClosedList = {
  phrase: 'unit of time such as `d`, `h` or `mo`',
  check: (text, filter) => stepArgument(1, text, filter),
}
const CURRENCY: ClosedList = { phrase: 'currency such as `USD`', check: findCurrency }
const ENCODING: ClosedList = { phrase: 'encoding such as `UTF-8`', check: findEncoding }
const FORM: ClosedList = {
  phrase: 'form: `hex`, `base64` or `none`',
  check: (text, filter) => formatBytes(Buffer.alloc(0), text, filter),
}
const ALGORITHM: ClosedList = {
  phrase: 'algorithm such as `sha256`',
  check: (text, filter) => findAlgorithm(text, filter),
}
const KEYED_ALGORITHM: ClosedList = {
  phrase: ALGORITHM.phrase,
  check: (text, filter) => findAlgorithm(text, filter, KEYED_ALGORITHMS),
}

/** The lists of each filter's arguments after the piped value; null for an argument without a list. */
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
 * Returns the phrase for the values that a filter's argument accepts, if the filter refuses the given text; null if it accepts the text.
 * @param at index of the argument, from 0, without the piped value
 */
export function refusedBy(filter: string, at: number, text: string): string | null {
  const list = Object.hasOwn(CLOSED_ARGUMENTS, filter) ? CLOSED_ARGUMENTS[filter]?.[at] : null
  if (list === null || list === undefined) return null
  try {
    list.check(text, filter)
    return null
  } catch (error) {
    if (error instanceof ArgumentFault) return list.phrase
    throw error
  }
}
