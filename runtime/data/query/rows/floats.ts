/** Marks floats in results for templates. The database writes a float without a fraction as `4`, which would be an integer. */
import { float } from '../../../page/values/number.ts'
import type { Build, JsonExpression, Shape } from '../model.ts'
import { jsonObject } from './json.ts'
import type { Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

const floatShape: Shape = (value) => (typeof value === 'number' ? float(value) : (value ?? null))
const floatListShape: Shape = (value) =>
  Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'number' ? float(item) : item)) : (value ?? null)

/** Adds a completion that marks a float, or a list of floats, for templates. The part must not have another completion. */
export function asFloat<Part extends Pick<JsonExpression, 'shape'>>(part: Part, build: Build, isList = false): Part {
  return build.options.floats === true ? { ...part, shape: isList ? floatListShape : floatShape } : part
}

/** Stored properties, and the facts that tell which of them are floats. */
interface StoredProperties {
  readonly sql: Sql
  /** The names of the properties that are floats in all rows; null when the names depend on the row. */
  readonly floatNames: readonly string[] | null
  /** The SQL of the row's table or profile type, and the names of the floats of a table or profile type. */
  readonly own: { readonly sql: Sql; readonly names: (value: unknown) => readonly string[] }
}

/** Stored properties with their declared floats converted for templates. */
export function storedFloats(
  { sql: expression, floatNames: allNames, own }: StoredProperties,
  build: Build,
): Pick<JsonExpression, 'sql' | 'shape'> {
  if (build.options.floats !== true || allNames?.length === 0) return { sql: expression, shape: null }
  if (allNames !== null) return { sql: expression, shape: (value) => markFloats(value, allNames) }
  const pair = [
    { key: 'of', value: own.sql },
    { key: 'properties', value: expression },
  ]
  const namesByOwner = new Map<unknown, readonly string[]>()
  const namesOf = (value: unknown): readonly string[] => {
    const names = namesByOwner.get(value) ?? own.names(value)
    namesByOwner.set(value, names)
    return names
  }
  return {
    sql: jsonObject(pair),
    shape(value) {
      return isObject(value) ? markFloats(value['properties'], namesOf(value['of'])) : null
    },
  }
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
