/** The tables that filters and relations name. Statements contain the numbers of declared tables, never names. */
import type { Build, Input, InputFields, Leaf, SourceRange } from '../model.ts'
import { matchesText } from '../memory-collection.ts'
import { didYouMean } from '../suggest.ts'
import { fieldsOf, leafOf } from './input.ts'
import type { RowScope } from './scope.ts'
import { integers, sql, type Sql } from '../../sql/sql.ts'

/** The names of the remaining tables; null when none is named, or none is known to the compiler. */
export type Tables = readonly string[] | null

/** Returns the tables that a filter's `table` (`model_schema_name`), or else its `table_id`, selects from the outer tables. */
export function tablesOf(fields: InputFields, outer: Tables, build: Build): Tables {
  const condition = fieldsOf(fields['table']) ?? fieldsOf(fields['model_schema_name'])
  if (condition === null) return tableWithId(fields, outer, build)
  const plainCondition: Record<string, unknown> = {}
  for (const [name, input] of Object.entries(condition)) {
    const leaf = leafOf(input)
    if (leaf === null) continue
    if (!leaf.isKnown) return outer
    plainCondition[name] = leaf.value
    if (NAMES.has(name)) checkNames(leaf, build)
  }
  if (Object.keys(plainCondition).every((name) => name === 'case_sensitive')) return outer
  const matchingTables = allTables(build).filter((name) => matchesText(name, plainCondition) !== false)
  return outer === null ? matchingTables : outer.filter((name) => matchingTables.includes(name))
}

/** Returns the table of the number in a filter. The condition on the number itself is written as a condition on the column. */
function tableWithId(fields: InputFields, outer: Tables, build: Build): Tables {
  const condition = fieldsOf(fields['table_id']) ?? fieldsOf(fields['model_schema_id'])
  const leaf = leafOf(condition?.['value'])
  const name = leaf === null || !leaf.isKnown ? null : build.catalog.tableName(Number(leaf.value))
  return name === null ? outer : (outer ?? [name]).filter((one) => one === name)
}

const NAMES: ReadonlySet<string> = new Set(['value', 'exact', 'value_in'])

/** The tables in an argument; null for the compiler when they come from a variable. */
export function tablesNamed(input: Input | undefined, build: Build): Tables {
  const leaf = leafOf(input)
  if (leaf === null || !leaf.isKnown) return null
  checkNames(leaf, build)
  const names = namesIn(leaf)
  return [...new Set(names)].filter((name) => build.catalog.tableId(name) !== null)
}

/** The tables of the catalog that exist in the database. */
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
    build.reportProblem({
      code: 'unknown-table',
      message: `There is no table \`${name}\`.`,
      range: leaf.range,
      hint,
      table: name,
    })
  }
}

/** The condition that rows belong to the tables of the scope; null when all do. */
export function tableCondition(scope: RowScope, build: Build): Sql | null {
  if (scope.rows !== 'records' || scope.tables === null) return null
  const ids = scope.tables.map((name) => build.catalog.tableId(name)).filter((id) => id !== null)
  if (ids.length === 0) return sql`false`
  // Table numbers are safe as literals, and let PostgreSQL use the indexes of a table.
  return ids.length === 1
    ? sql`${scope.alias}.table_id = ${integers(ids)}`
    : sql`${scope.alias}.table_id in (${integers(ids)})`
}

/** Reports a profile type that the site does not declare. */
export function reportProfileType(type: string, range: SourceRange | null, build: Build): void {
  const names = ['default', ...build.catalog.data.profiles.map(({ name }) => name)]
  const hint = didYouMean(type, names) ?? `The profile types are ${names.map((name) => `\`${name}\``).join(', ')}.`
  build.reportProblem({
    code: 'unknown-table',
    message: `There is no profile type \`${type}\`.`,
    range,
    hint,
    table: type,
  })
}
