/** Rows of an argument that a mutation imports. */
import type { Fields } from '../../../page/services.ts'

/** The rows of a list of input objects. */
export function rowsIn(given: unknown): readonly Fields[] {
  return Array.isArray(given) ? (given as readonly Fields[]) : []
}
