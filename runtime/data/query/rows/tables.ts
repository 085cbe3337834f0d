/** Which tables a filter or relation names. Names become the numbers of declared tables; no name reaches a statement. */
import type { Build, Input, InputFields, Leaf } from '../model.ts'
import { textHolds } from '../items.ts'
import { didYouMean } from '../suggest.ts'
import { fieldsOf, leafOf } from './input.ts'
import type { Scope } from './scope.ts'
import { integers, sql, type Sql } from '../../sql/sql.ts'

/** The names of tables that conditions leave, null where none is named (or, while compiling, none is known). */
export type Tables = readonly string[] | null

/** The tables that a filter's `table` (`model_schema_name`) leaves of the outer ones. */
export function tablesOf(fields: InputFields, outer: Tables, build: Build): Tables {
  const condition = fieldsOf(fields['table']) ?? fieldsOf(fields['model_schema_name'])
  if (condition === null) return outer
  const plain: Record<string, unknown> = {}
  for (const [name, input] of Object.entries(condition)) {
    const leaf = leafOf(input)
    if (leaf === null) continue
    if (!leaf.known) return outer
    plain[name] = leaf.value
    if (NAMES.has(name)) checkNames(leaf, build)
  }
  if (Object.keys(plain).every((name) => name === 'case_sensitive')) return outer
  const known = allTables(build).filter((name) => textHolds(name, plain) !== false)
  return outer === null ? known : outer.filter((name) => known.includes(name))
}

const NAMES: ReadonlySet<string> = new Set(['value', 'exact', 'value_in'])

/** The tables of an argument that lists them; null while compiling where a variable gives them. */
export function tablesNamed(input: Input | undefined, build: Build): Tables {
  const leaf = leafOf(input)
  if (leaf === null || !leaf.known) return null
  checkNames(leaf, build)
  const names = namesIn(leaf)
  return [...new Set(names)].filter((name) => build.catalog.tableId(name) !== null)
}

/** Tables of the catalog that exist in the database. */
function allTables(build: Build): readonly string[] {
  return build.catalog.data.tables.map(({ name }) => name).filter((name) => build.catalog.tableId(name) !== null)
}

function namesIn(leaf: Leaf): readonly string[] {
  const values: readonly unknown[] = Array.isArray(leaf.value) ? leaf.value : [leaf.value]
  return values.filter((name) => typeof name === 'string')
}

function checkNames(leaf: Leaf, build: Build): void {
  for (const name of namesIn(leaf)) {
    if (build.catalog.tableId(name) !== null) continue
    const hint = didYouMean(name, allTables(build)) ?? null
    build.problem({ code: 'unknown-table', message: `There is no table \`${name}\`.`, at: leaf.at, hint, table: name })
  }
}

/** The condition that rows are of the scope's tables, null where all are. */
export function tableCondition(scope: Scope, build: Build): Sql | null {
  if (scope.rows !== 'records' || scope.tables === null) return null
  const ids = scope.tables.map((name) => build.catalog.tableId(name)).filter((id) => id !== null)
  if (ids.length === 0) return sql`false`
  // Numbers of our own making: as literals they let PostgreSQL use the indexes of one table.
  return ids.length === 1
    ? sql`${scope.alias}.table_id = ${integers(ids)}`
    : sql`${scope.alias}.table_id in (${integers(ids)})`
}
