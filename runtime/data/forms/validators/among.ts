/** Whether a value stands in a list of a configuration: text of an HTML form is equal to the number or switch that it spells. */
import { typed } from '../cast.ts'
import { str } from '../../../page/values/text.ts'
import { option, listOption, spanOf, unusable } from './options.ts'
import type { Check } from './validator.ts'

/** For each element of a list value, or for the one value, whether `in` has it. @throws LiquidFault without a list */
export function among(value: unknown, at: Check): readonly boolean[] {
  const span = spanOf(option(at, 'in'))
  if (span !== null) {
    const inside = (item: unknown): boolean => {
      const number = Number(str(item) || Number.NaN)
      return number >= span[0] && number <= span[1]
    }
    return Array.isArray(value) ? value.map(inside) : [inside(value)]
  }
  const list = listOption(at, 'in')
  if (list === null) throw unusable(at, 'in', 'a list')
  const known = new Set(list.map(str))
  if (Array.isArray(value)) return value.map((item) => known.has(str(item)))
  const meant = typed(at.field, value)
  // nil spells nothing: it is in the list only when the list says so.
  if (meant === null && (value === null || value === undefined)) return [list.includes(null)]
  return [known.has(str(value)) || known.has(str(meant))]
}
