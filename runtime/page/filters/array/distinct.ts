/** Finds distinct values in linear time, by a key that only equal values share. */
import { isHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from '../../values/value-limits.ts'
import { isNumber, numberText } from '../../values/number.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import { chargeText, chargeReads } from '../../values/meter.ts'

/**
 * Returns a key that only equal values share. 1 and 1.0 differ; the order of a hash's keys does not matter.
 * @throws ArgumentFault, LimitFault for values nested without end
 */
export function identityKey(value: unknown): unknown {
  const text = value instanceof BoxedText ? value.$text : value
  // Keys of other types begin with NUL. A text that begins with NUL therefore gets a second NUL.
  if (typeof text === 'string') return text.charCodeAt(0) === 0 ? `\0${text}` : text
  if (text === null || text === undefined || typeof text === 'boolean') return text ?? null
  const canonicalText = printCanonical(text, 0, { visits: 0 })
  chargeText(4 * canonicalText.length)
  return `\0${canonicalText}`
}

function printCanonical(value: unknown, depth: number, state: { visits: number }): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isNumber(value)) return numberText(value)
  if (typeof value !== 'object' || value === null) return `${value ?? null}`
  if (depth > MAX_DEPTH) throw tooDeep()
  // Counts visits, because a small value with shared parts can expand without limit.
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(value))
    return printItems('[', value.values(), ']', (item) => printCanonical(item, depth + 1, state))
  if (!isHash(value)) return value instanceof BoxedText ? JSON.stringify(value.$text) : `<${str(value)}>`
  return printItems(
    '{',
    Object.keys(value).sort().values(),
    '}',
    (key) => `${JSON.stringify(key)}:${printCanonical(value[key], depth + 1, state)}`,
  )
}

function printItems<Item>(open: string, list: Iterable<Item>, close: string, text: (item: Item) => string): string {
  let out = open
  for (const item of list) {
    out += `${text(item)},`
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out + close
}

/**
 * Returns the elements whose key has not occurred before.
 * @throws ArgumentFault, LimitFault as `identityKey`
 */
export function distinct(list: readonly unknown[], key: (item: unknown, index: number) => unknown): unknown[] {
  chargeReads(list.length)
  const seenKeys = new Set<unknown>()
  return list.filter((item, index) => {
    const id = identityKey(key(item, index))
    if (seenKeys.has(id)) return false
    seenKeys.add(id)
    return true
  })
}
