/** Reads the rows that a mutation imports from an argument. */
import type { Fields } from '../../../page/services.ts'
import { isObject } from '../../values/json-data.ts'

/** Returns the rows in a list of input objects. */
export function rowsIn(listArgument: unknown): readonly Fields[] {
  return Array.isArray(listArgument) ? listArgument.filter(isObject) : []
}
