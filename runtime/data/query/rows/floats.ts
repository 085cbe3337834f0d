/** Marks floats in results for templates. The database writes a float without a fraction as `4`, which would be an integer. */
import { float } from '../../../page/values/number.ts'
import type { Build, JsonExpression, Shape } from '../model.ts'
import type { Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

const floatShape: Shape = (value) => (typeof value === 'number' ? float(value) : (value ?? null))
const floatListShape: Shape = (value) =>
  Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'number' ? float(item) : item)) : (value ?? null)

/** Adds a completion that marks a float, or a list of floats, for templates. The part must not have another completion. */
export function asFloat<Part extends Pick<JsonExpression, 'shape'>>(part: Part, build: Build, isList = false): Part {
  return build.options.floats === true ? { ...part, shape: isList ? floatListShape : floatShape } : part
}

/** Adds a completion that marks the floats among the properties of a row. */
export function withFloats(
  expression: Sql,
  names: readonly string[],
  build: Build,
): Pick<JsonExpression, 'sql' | 'shape'> {
  if (build.options.floats !== true || names.length === 0) return { sql: expression, shape: null }
  return { sql: expression, shape: (value) => markFloats(value, names) }
}

function markFloats(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value ?? null
  // The object is changed in place, because it was parsed for this result only.
  for (const name of names) {
    const part = Object.hasOwn(value, name) ? value[name] : null
    if (typeof part === 'number') value[name] = float(part)
  }
  return value
}
