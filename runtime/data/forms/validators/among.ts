/**
 * Checks whether a value is in a configured list. A text of an HTML form equals the number or boolean that it spells.
 */
import { toDeclaredType } from '../cast.ts'
import { str } from '../../../page/values/text.ts'
import { option, listOption, spanOf, invalidOption } from './options.ts'
import type { Check } from './validator.ts'

/**
 * Returns whether the option `in` contains the value, or each element of a list value.
 * @throws LiquidFault when `in` is not a list
 */
export function isAmong(value: unknown, check: Check): readonly boolean[] {
  const span = spanOf(option(check, 'in'))
  if (span !== null) {
    const isListed = (item: unknown): boolean => {
      const number = Number(str(item) || Number.NaN)
      return number >= span[0] && number <= span[1]
    }
    return Array.isArray(value) ? value.map(isListed) : [isListed(value)]
  }
  const list = listOption(check, 'in')
  if (list === null) throw invalidOption(check, 'in', 'a list')
  const listedTexts = new Set(list.map(str))
  if (Array.isArray(value)) return value.map((item) => listedTexts.has(str(item)))
  const declaredValue = toDeclaredType(check.field, value)
  // An absent value is contained only when the list contains nil.
  if (declaredValue === null && (value === null || value === undefined)) return [list.includes(null)]
  return [listedTexts.has(str(value)) || listedTexts.has(str(declaredValue))]
}
