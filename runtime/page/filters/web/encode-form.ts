/** Encodes nested data as form-encoded text: `a[b][0]=c`. */
import { entries, isHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import { encodeQuery } from '../text/encode-query.ts'

/**
 * Returns pairs joined by `&`. Brackets are not encoded, but names and values are. @throws ArgumentFault for data
 * nested without end
 */
export function encodeForm(data: unknown, indexed: boolean): string {
  const pairs: string[] = []
  const state = { size: 0, visits: 0 }
  const add = (name: string, operand: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) throw tooDeep()
    if (++state.visits > MAX_ITEMS) throw tooMany()
    if (Array.isArray(operand)) {
      operand.forEach((item, index) => {
        add(indexed ? `${name}[${index}]` : `${name}[]`, item, depth + 1)
      })
    } else if (isHash(operand)) {
      for (const [key, value] of entries(operand))
        add(name === '' ? encodeQuery(key) : `${name}[${encodeQuery(key)}]`, value, depth + 1)
    } else {
      pairs.push(`${name}=${encodeQuery(str(operand))}`)
    }
    state.size += name.length + (pairs.at(-1)?.length ?? 0) + 1
    if (state.size > MAX_TEXT) throw tooLong()
  }
  add('', data, 0)
  chargeText(16 * state.size)
  return pairs.join('&')
}
