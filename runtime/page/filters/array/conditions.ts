/** Conditions of the platform's array filters: named arguments or a hash. An element must meet all of them. */
import { ArgumentFault } from '../../fault.ts'
import { entries, isHash } from '../../values/access.ts'
import { eq } from '../../values/compare.ts'

/** Checks whether an element meets all conditions. */
type ItemTest = (item: unknown) => boolean

/**
 * Returns the test for conditions. Without conditions it accepts every element.
 * @throws ArgumentFault when they are not a hash
 */
export function createItemTest(options: unknown, filter: string): ItemTest {
  if (options === null || options === undefined) return () => true
  if (!isHash(options)) throw new ArgumentFault(`${filter} filter - conditions must be a hash`)
  const pairs = entries(options)
  return (item) =>
    pairs.every(([key, value]) => {
      const itemValue = isHash(item) && Object.hasOwn(item, key) ? item[key] : null
      return (isHash(item) || pairs.length === 0) && eq(itemValue, value)
    })
}
