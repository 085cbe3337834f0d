/** Rows of an argument that a mutation imports. */
import type { Fields } from '../../../page/services.ts'
import { isObject } from '../../values/json-data.ts'

/** The rows of a list of input objects. */
export function rowsIn(listArgument: unknown): readonly Fields[] {
  return Array.isArray(listArgument) ? listArgument.filter(isObject) : []
}
