/** Finds distinct values in linear time, by a key that only equal values share. */
import { isHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from '../../values/limits.ts'
import { isNumber, numberText } from '../../values/number.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import { chargeText, chargeReads } from '../../values/meter.ts'

/** A key that equal values share: 1 and 1.0 differ, the order of a hash's keys does not matter. @throws ArgumentFault, LimitFault for values nested without end */
export function identity(v: unknown): unknown {
  const text = v instanceof BoxedText ? v.$text : v
  // Keys of other types begin with NUL, so a text that begins with it gets another one.
  if (typeof text === 'string') return text.charCodeAt(0) === 0 ? `\0${text}` : text
  if (text === null || text === undefined || typeof text === 'boolean') return text ?? null
  const written = canonical(text, 0, { visits: 0 })
  chargeText(4 * written.length)
  return `\0${written}`
}

function canonical(v: unknown, depth: number, state: { visits: number }): string {
  if (typeof v === 'string') return JSON.stringify(v)
  if (isNumber(v)) return numberText(v)
  if (typeof v !== 'object' || v === null) return `${v ?? null}`
  if (depth > MAX_DEPTH) throw tooDeep()
  // Shared parts can make a small value expand without limit.
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return enclosed('[', v.values(), ']', (item) => canonical(item, depth + 1, state))
  if (!isHash(v)) return v instanceof BoxedText ? JSON.stringify(v.$text) : `<${str(v)}>`
  return enclosed(
    '{',
    Object.keys(v).sort().values(),
    '}',
    (key) => `${JSON.stringify(key)}:${canonical(v[key], depth + 1, state)}`,
  )
}

function enclosed<Item>(open: string, list: Iterable<Item>, close: string, text: (item: Item) => string): string {
  let out = open
  for (const item of list) {
    out += `${text(item)},`
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out + close
}

/**
 * The elements whose key has not occurred before.
 * @throws ArgumentFault, LimitFault as `identity`
 */
export function distinct(list: readonly unknown[], key: (item: unknown, index: number) => unknown): unknown[] {
  chargeReads(list.length)
  const met = new Set<unknown>()
  return list.filter((item, index) => {
    const id = identity(key(item, index))
    if (met.has(id)) return false
    met.add(id)
    return true
  })
}
