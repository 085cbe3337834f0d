/** The interface of the planner: the compiler analyzes documents with it, and the server runs them. */
import type { SqlStatement } from '../sql/sql.ts'
import { boundValues } from './build.ts'
import { coerceVariables } from './coerce.ts'
import type { QueryHost } from './host.ts'
import { type BuildOptions, type Catalog, type Column, QueryError, type Statement } from './model.ts'
import type { Plan } from './plan.ts'
import { prepare } from './statement.ts'

export * from './account-host.ts'
export { analyze, placeholderVariables } from './analyze.ts'
export type { NullMeaning } from './coerce.ts'
export { createCatalog, planningCatalog } from './catalog.ts'
export { type UnsupportedName, unsupportedFields, unsupportedNames } from './unsupported-schema.ts'
export { graphqlErrorOf, execute } from './execute.ts'
export type { QueryHost } from './host.ts'
export { createIndexSql, deriveIndexes } from './indexes.ts'
export * from './model.ts'
export { type Plan, planOperation } from './plan.ts'
export { schema, templateSchema } from './schema.ts'

/** A list of a query that can be read row by row. The columns are plain texts or JSON texts. */
export interface Listing {
  readonly statement: SqlStatement
  readonly columns: readonly Column[]
}

/**
 * Returns the listing of a query that requests only the results of one collection, and only values that the database can return.
 * @throws QueryError
 */
export async function listingOf(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  host: QueryHost,
): Promise<Listing> {
  const { values, problems } = coerceVariables(plan.declaredVariables, variables)
  if (problems.length > 0) throw new QueryError(problems)
  const { query } = prepare(plan, values, host.catalog, { ...host.options, areStored: true })
  const rows = query?.rows ?? null
  if (query === null || rows === null || rows.shape !== null) throw new Error('The query is not a plain list of rows.')
  const rowParameters = await Promise.all(boundValues(rows.rowSelect, values, host.viewer, host))
  return { statement: rows.rowSelect.withValues(rowParameters), columns: rows.columns }
}

/**
 * Returns the statements that a plan runs with these variables, in order: one for a query, or one for each root field of a mutation.
 * @throws QueryError
 */
export function statementsOf(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  catalog: Catalog,
  options: BuildOptions,
): readonly Statement[] {
  const { values, problems } = coerceVariables(plan.declaredVariables, variables)
  if (problems.length > 0) throw new QueryError(problems)
  const { query, roots } = prepare(plan, values, catalog, options)
  const statements = [
    ...(query === null ? [] : [query]),
    ...roots.flatMap((root) =>
      (root.kind === 'mutation' || root.kind === 'session' || root.kind === 'form') && root.statement !== null
        ? [root.statement]
        : [],
    ),
  ]
  // Replaces the values in the statements: the statements bind coerced variables, but callers pass the variables as they were given.
  return statements.map((statement) => ({
    ...statement,
    values: (givenVariables, viewer, host) =>
      statement.values(coerceVariables(plan.declaredVariables, givenVariables).values, viewer, host),
  }))
}
