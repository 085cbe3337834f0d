/** Conditions of the platform's array filters: named arguments, or one hash, that must all be equal. */
import { ArgumentFault } from '../../fault.ts'
import { entries, isHash } from '../../values/access.ts'
import { eq } from '../../values/compare.ts'

/** Whether an element meets all conditions. */
export type ItemTest = (item: unknown) => boolean

/**
 * The test for conditions; without conditions it accepts everything.
 * @throws ArgumentFault when they are no hash
 */
export function conditions(options: unknown, filter: string): ItemTest {
  if (options === null || options === undefined) return () => true
  if (!isHash(options)) throw new ArgumentFault(`${filter} filter - conditions must be a hash`)
  const pairs = entries(options)
  return (item) =>
    pairs.every(([key, value]) => {
      const found = isHash(item) && Object.hasOwn(item, key) ? item[key] : null
      return (isHash(item) || pairs.length === 0) && eq(found, value)
    })
}
