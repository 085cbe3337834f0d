/** The tables that filters and relations name. Statements contain the numbers of declared tables, never names. */
import type { Build, Input, InputFields, Leaf, SourceRange } from '../model.ts'
import { matchesText } from '../memory-collection.ts'
import { correctionOf } from '../suggest.ts'
import { fieldsOf, leafOf } from './input.ts'
import type { RowScope } from './scope.ts'
import { integers, sql, type Sql } from '../../sql/sql.ts'

/** The names of the possible tables; null when no table is named, or the compiler does not know the name. */
export type Tables = readonly string[] | null

/** Returns the tables that a filter selects from the outer tables, by its `table` (`model_schema_name`) or otherwise by its `table_id`. */
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

/** Returns the table with the number in a filter. The condition on the number is written separately, like other conditions on columns. */
function tableWithId(fields: InputFields, outer: Tables, build: Build): Tables {
  const condition = fieldsOf(fields['table_id']) ?? fieldsOf(fields['model_schema_id'])
  const leaf = leafOf(condition?.['value'])
  const name = leaf === null || !leaf.isKnown ? null : build.catalog.tableName(Number(leaf.value))
  return name === null ? outer : (outer ?? [name]).filter((one) => one === name)
}

const NAMES: ReadonlySet<string> = new Set(['value', 'exact', 'value_in'])

/** Returns the tables that an argument names; null when the compiler does not know them, because they come from a variable. */
export function tablesNamed(input: Input | undefined, build: Build): Tables {
  const leaf = leafOf(input)
  if (leaf === null || !leaf.isKnown) return null
  checkNames(leaf, build)
  const names = namesIn(leaf)
  return [...new Set(names)].filter((name) => build.catalog.tableId(name) !== null)
}

/** Returns the tables of the catalog that exist in the database. */
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
    build.reportProblem({
      code: 'unknown-table',
      message: `There is no table \`${name}\`.`,
      range: leaf.range,
      ...correctionOf(name, allTables(build)),
      table: name,
      mistake: { kind: 'unknown table', name },
    })
  }
}

/** Returns the condition that rows belong to the tables of the scope; null when all rows do. */
export function tableCondition(scope: RowScope, build: Build): Sql | null {
  if (scope.rows !== 'records' || scope.tables === null) return null
  const ids = scope.tables.map((name) => build.catalog.tableId(name)).filter((id) => id !== null)
  if (ids.length === 0) return sql`false`
  // Table numbers are literals: they are safe, and PostgreSQL uses the indexes of a table only for a literal number.
  return ids.length === 1
    ? sql`${scope.alias}.table_id = ${integers(ids)}`
    : sql`${scope.alias}.table_id in (${integers(ids)})`
}

/** Reports a profile type that the site does not declare. */
export function reportProfileType(type: string, range: SourceRange | null, build: Build): void {
  const names = ['default', ...build.catalog.data.profiles.map(({ name }) => name)]
  const list = names.map((name) => `\`${name}\``).join(', ')
  build.reportProblem({
    code: 'unknown-table',
    message: `There is no profile type \`${type}\`.`,
    range,
    ...correctionOf(type, names, `The profile types are ${list}.`),
    table: type,
    mistake: { kind: 'unknown profile type', name: type },
  })
}
