/**
 * The stored properties of rows whose table or profile type only the row knows: queries without a table, or with several. The statement
 * returns what is stored, and the declarations complete it: declared properties without a value are null, and values whose declaration was
 * removed are omitted, as in rows of a single table.
 */
import type { PropertyDef } from '../../../page/compiled.ts'
import { float } from '../../../page/values/number.ts'
import { isObject } from '../../values/json-data.ts'
import { emptySql, sql } from '../../sql/sql.ts'
import type { Build, JsonExpression } from '../model.ts'
import { jsonObject } from './json.ts'
import { ownColumnsObject } from './own-columns.ts'
import { isStoredFloat } from './property-json.ts'
import type { RowScope } from './scope.ts'

/** @param names properties that every row has, also as null */
export function propertiesByOwner(
  scope: RowScope,
  names: readonly string[],
  build: Build,
): Pick<JsonExpression, 'sql' | 'shape'> {
  const { rows, alias } = scope
  const { catalog, options } = build
  const ownColumns = ownColumnsObject(scope, catalog)
  const columns = ownColumns === null ? emptySql : sql` || ${ownColumns}`
  if (options.areStored === true)
    return { sql: sql`(${alias}.properties${columns} || coalesce(${alias}.undeclared, '{}'))`, shape: null }
  const declaredBy = new Map<unknown, readonly PropertyDef[] | null>()
  const declarationsOf = (owner: unknown): readonly PropertyDef[] | null => {
    const known = declaredBy.get(owner)
    if (known !== undefined) return known
    const table = rows === 'records' ? catalog.tableName(Number(owner)) : null
    const properties =
      rows === 'profiles' ? catalog.profileProperties(String(owner)) : table === null ? null : catalog.properties(table)
    const declarations = properties === null ? null : [...properties.values()]
    declaredBy.set(owner, declarations)
    return declarations
  }
  return {
    sql: jsonObject([
      { key: 'of', value: rows === 'profiles' ? sql`${alias}.profile_type` : sql`${alias}.table_id` },
      { key: 'properties', value: sql`(${alias}.properties${columns})` },
      { key: 'undeclared', value: sql`${alias}.undeclared` },
    ]),
    shape(value) {
      if (!isObject(value)) return null
      const stored = objectOf(value['properties'])
      const undeclared = objectOf(value['undeclared'])
      const declarations = declarationsOf(value['of'])
      // The table was removed from the site.
      if (declarations === null) return { ...nulls(names), ...stored, ...undeclared }
      const declared = declarations.map((property) => {
        const { name } = property
        const part = Object.hasOwn(stored, name) ? stored[name] : null
        const isMarked = options.floats === true && typeof part === 'number' && isStoredFloat(property)
        return [name, isMarked ? float(part) : part] as const
      })
      return { ...nulls(names), ...undeclared, ...Object.fromEntries(declared) }
    },
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function nulls(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]))
}
