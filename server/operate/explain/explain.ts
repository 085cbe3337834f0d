/** Explains what PostgreSQL does for a stored operation: its statements and their plans. */
import { prefixed, sql } from '../../../runtime/data/sql/sql.ts'
import type { Sql, TransactionSql } from 'postgres'
import { send } from '../../data/store/send.ts'
import {
  analyze,
  type BuildOptions,
  createCatalog,
  planOperation,
  type ParameterHost,
  type Statement,
  statementsOf,
} from '../../../runtime/data/query/index.ts'
import type { DataSchema } from '../../../runtime/page/compiled.ts'
import { type Plan, readPlan } from './plan.ts'
import {
  type IndexState,
  indexStates,
  type TableScan,
  tableScansIn,
  summarySentences,
  specsByName,
  type UnindexedRead,
  unindexedReadsIn,
} from './summary.ts'

export interface ExplainOptions {
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  readonly build: BuildOptions
  /** Whether to run queries to measure them; mutations are never run. */
  readonly analyze: boolean
  /** Id of the user to treat as signed in. */
  readonly viewer: string | null
  /** Timeout of each statement in seconds; 60 by default. */
  readonly seconds?: number
}

export interface ExplainedStatement {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly plan: Plan
}

export interface Explanation {
  readonly kind: 'query' | 'mutation'
  readonly statements: readonly ExplainedStatement[]
  /** Whether the statements were run. */
  readonly ran: boolean
  /** The variables that have a value or a default, and the others. Together they form the key of cached statements. */
  readonly shape: { readonly given: readonly string[]; readonly missing: readonly string[] }
  readonly readings: readonly TableScan[]
  readonly indexes: readonly IndexState[]
  readonly unserved: readonly UnindexedRead[]
  readonly summary: readonly string[]
}

/** Thrown to roll a transaction back. */
class ExplainRollback extends Error {}

/**
 * Explains an operation with these variables.
 * @throws QueryError for an invalid document or invalid variables, and the database client's errors
 */
export async function explainOperation(
  sql: Sql,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  options: ExplainOptions,
): Promise<Explanation> {
  const catalog = createCatalog(options.data, options.ids)
  const plan = planOperation(document)
  const statements = statementsOf(plan, variables, catalog, options.build)
  const ran = options.analyze && plan.kind === 'query'
  const explained: ExplainedStatement[] = []
  const built = new Set<string>()
  await sql
    .begin('read only', async (view) => {
      await view`select set_config('statement_timeout', ${`${options.seconds ?? 60}s`}, true)`
      for (const name of await validIndexes(view)) built.add(name)
      for (const statement of statements)
        explained.push(await explainStatement(view, statement, variables, options.viewer, ran))
      throw new ExplainRollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof ExplainRollback)) throw error
    })
  const analysis = analyze(document, options.data)
  const specs = specsByName(analysis, catalog)
  const readings = tableScansIn(
    explained.map((explainedStatement) => explainedStatement.plan),
    catalog,
    specs,
  )
  const indexes = indexStates(specs, readings, built)
  const unserved = unindexedReadsIn(analysis, document)
  const isGiven = ({ name, default: value }: (typeof plan.declaredVariables)[number]): boolean =>
    (variables[name] ?? value ?? null) !== null
  const givenNames = plan.declaredVariables.filter(isGiven).map(({ name }) => name)
  const names = plan.declaredVariables.map(({ name }) => name)
  return {
    kind: plan.kind,
    statements: explained,
    ran,
    shape: { given: givenNames, missing: names.filter((name) => !givenNames.includes(name)) },
    readings,
    indexes,
    unserved,
    summary: explained.length === 0 ? [] : summarySentences(readings, indexes, unserved, ran),
  }
}

async function explainStatement(
  view: TransactionSql,
  statement: Statement,
  variables: Readonly<Record<string, unknown>>,
  viewer: string | null,
  ran: boolean,
): Promise<ExplainedStatement> {
  const values = await Promise.all(statement.values(variables, viewer, UNSEALED))
  const explainPrefix = ran ? sql`explain (analyze, buffers, format json)` : sql`explain (format json)`
  const explained = prefixed(explainPrefix, statement.sql)
  const [row] = await send<{ 'QUERY PLAN': unknown }[]>(view, explained.withValues(values))
  const plan = row?.['QUERY PLAN']
  return { sql: statement.sql.text, values, plan: readPlan(typeof plan === 'string' ? JSON.parse(plan) : plan) }
}

/** Does not seal: a plan does not depend on a constant's value, and nothing is written. */
const UNSEALED: ParameterHost = {
  seal: () => '…',
  accounts: { presentSession: null, hashPassword: async () => '…', newOtpSecret: () => '…' },
}

async function validIndexes(view: TransactionSql): Promise<readonly string[]> {
  const rows = await view<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'ingot' and i.indisvalid`
  return rows.map(({ name }) => name)
}
