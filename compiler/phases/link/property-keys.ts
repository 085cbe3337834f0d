/**
 * Finds variables that a query passes to a property under the key of another type. In that case, the key is wrong, and not the variable.
 */
import type { DataSchema, Mistake, SourceRange } from '../../core/model/operation.ts'

/** The key that compares and writes values of a type. Other types use `value`. */
const KEYS: Readonly<Record<string, string>> = {
  integer: 'value_int',
  float: 'value_float',
  decimal: 'value_float',
  boolean: 'value_boolean',
  array: 'value_array',
}

/** A key that does not fit its property, and the correct key. */
interface WrongKey {
  readonly position: SourceRange
  readonly key: string
}

/** Returns the wrong key if the variable's type fits the property. Null if the variable itself is wrong, or nothing is known. */
export function findWrongKey(
  { kind, name: variable }: Mistake,
  document: string,
  { tables }: DataSchema,
): WrongKey | null {
  if (kind !== 'variable type') return null
  const tableNames = new Set([...document.matchAll(/\btable:\s*(?:\{\s*value:\s*)?"([^"]+)"/g)].map(([, name]) => name))
  const uses = new RegExp(`name:\\s*"(\\w+)"\\s*,?\\s*(value(?:_\\w+)?)(?=\\s*:\\s*\\$${variable}\\b)`, 'g')
  for (const { 0: whole, 1: property, 2: key = '', index } of document.matchAll(uses)) {
    const types = tables
      .filter(({ name }) => tableNames.has(name))
      .flatMap(({ properties }) => properties.filter(({ name }) => name === property).map(({ type }) => type))
    const correctKeys = new Set(types.map((type) => KEYS[type] ?? 'value'))
    const [fitting] = correctKeys
    if (fitting === undefined || correctKeys.size !== 1 || fitting === key) continue
    const end = index + whole.length
    return { position: { start: end - key.length, end }, key: fitting }
  }
  return null
}
