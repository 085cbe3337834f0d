/** Joins the elements of a list. The dialect determines how they are converted to text. */
import { items } from '../../values/items.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'

/** Returns the elements as text with `glue` between them. @throws ArgumentFault, LimitFault */
export function joinWith(input: unknown, glue: unknown, text: (item: unknown) => string): string {
  const list = items(input)
  if (list.length === 0) return ''
  const separator = str(glue)
  const firstItem = list[0]
  let out = typeof firstItem === 'string' ? firstItem : text(firstItem)
  for (let index = 1; index < list.length; index++) {
    const item = list[index]
    out += separator + (typeof item === 'string' ? item : text(item))
    if (out.length > MAX_TEXT) throw tooLong()
  }
  chargeText(out.length)
  return out
}
