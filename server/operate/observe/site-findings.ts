/** Findings about recorded requests of a served site: explains its queries with the site's database. */
import type { Sql } from 'postgres'
import { isObject } from '../../../runtime/data/values/json-data.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { explainOperation, type Explanation } from '../explain/explain.ts'
import { formatSql } from '../../../runtime/data/sql/format-sql.ts'
import { formatPlan } from '../explain/plan.ts'
import { summarySentences, unservedSentence } from '../explain/summary.ts'
import { type Finding, findFindings, type SiteQuery } from './findings.ts'
import type { RequestFacts } from './recorded-items.ts'
import type { RequestIndex } from './request-index.ts'

export interface ExplainedSite {
  readonly site: CompiledSite
  readonly ids: ReadonlyMap<string, number>
  readonly sql: Sql
}

/** Number of similar requests that are compared. */
const MAX_SIMILAR = 10
/** Estimated number of rows from which reading a whole table is reported. */
const MANY_ROWS = 1_000

/** @param served returns the served site; null before the first build */
export function siteFindings(index: RequestIndex, served: () => ExplainedSite | null): RequestFacts {
  return {
    fileOf: (name) => operationOf(served(), name)?.file ?? null,
    findings: (summary, detail) =>
      findFindings(summary, detail, {
        queryOf: (name) => operationOf(served(), name),
        async explain(query, variables) {
          const current = served()
          if (current === null) return []
          return readingFindings(query, await explain(current, query.document, variables))
        },
        async similar() {
          const all = await index.list()
          const same = all.filter(
            (each) =>
              each.summary.template === summary.template &&
              each.summary.id !== summary.id &&
              each.summary.kind === summary.kind,
          )
          const details = await Promise.all(same.slice(0, MAX_SIMILAR).map((each) => each.detail()))
          return details.filter((each) => each !== null)
        },
      }),
  }
}

function operationOf(served: ExplainedSite | null, name: string): SiteQuery | null {
  const operations = served?.site.operations ?? {}
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  return operation === undefined ? null : { file: operation.file, document: operation.document }
}

/** Explains a query without running it. @throws QueryError, and the database client's errors */
function explain({ site, ids, sql }: ExplainedSite, document: string, variables: unknown): Promise<Explanation> {
  return explainOperation(sql, document, isObject(variables) ? variables : {}, {
    ...{ data: site.data, ids, build: site.options, analyze: false, viewer: null, seconds: EXPLAIN_TIME },
  })
}

/**
 * Returns what the database plans for a query of a recorded request: `name`, `file`, and `statements`, `summary`, `unserved` (parts of the query that
 * no index can serve) and `problem`.
 */
export function recordedPlans(
  index: RequestIndex,
  served: () => ExplainedSite | null,
): (request: string, query: number) => Promise<object | null> {
  return async (id, at) => {
    const current = served()
    const query = (await (await index.find(id))?.detail())?.queries[at]
    if (current === null || query === undefined) return null
    const { name, variables } = query
    const stored = query.document === null ? operationOf(current, name) : null
    const document = query.document ?? stored?.document ?? null
    const file = stored?.file ?? null
    if (document === null) return { name, problem: 'These statements belong to no query, so their plan is not known.' }
    try {
      const { statements, readings, indexes, unserved, ran } = await explain(current, document, variables)
      const plans = statements.map(({ sql, plan }) => ({ sql: formatSql(sql), plan: formatPlan(plan.root).join('\n') }))
      return {
        ...{ name, file, statements: plans, summary: summarySentences(readings, indexes, [], ran) },
        unserved: unserved.map(({ reason, line }) => ({
          ...{ file, line },
          sentence: unservedSentence({ reason, line }),
          change: changeFor(reason),
        })),
      }
    } catch (error) {
      // Masked values may not fit the types of their variables.
      return { name, file, problem: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Seconds after which the explanation of a query is given up. */
const EXPLAIN_TIME = 3

function readingFindings({ file }: SiteQuery, { readings, indexes, unserved }: Explanation): readonly Finding[] {
  const scanned = readings.filter(({ how, rows }) => how === 'sequential' && rows >= MANY_ROWS)
  if (scanned.length === 0) return []
  const tables = scanned.map(({ table, rows }) => `${table} (about ${rows.toLocaleString('en-US')} rows)`).join(', ')
  const sentence = `The query reads all rows of ${tables}.`
  const missing = indexes.filter(({ state }) => state === 'not built yet')
  if (unserved.length > 0)
    return unserved.map(({ reason, line }) => ({
      kind: 'scan',
      file,
      line,
      sentence: `${sentence} ${unservedSentence({ reason, line })}`,
      change: changeFor(reason),
    }))
  const index = missing.map(({ name, holds }) => `${name} (${holds})`).join(', ')
  return [
    {
      kind: 'scan',
      file,
      line: null,
      sentence: index === '' ? sentence : `${sentence} The index ${index} would serve it.`,
      change:
        index === ''
          ? 'Filter by a column or a declared property with `value`, `value_in` or a range. The server then builds the index.'
          : 'Nothing needs to be written: the server builds the index by itself, in the background. Look at the page again in a moment.',
    },
  ]
}

/** Returns what to write in the query, by the reason why no index serves it. */
function changeFor(reason: string): string {
  if (reason === 'no table is given') return 'Add the table to the filter: `table: { value: "…" }`.'
  if (reason === 'its table comes from a variable')
    return "Write the table's name into the query instead of a variable."
  if (reason.includes('`or`'))
    return 'Run one query for each alternative, or use `value_in` for values of the same property.'
  return 'Compare with `value`, `value_in` or a range, which an index serves. The server builds the index itself.'
}
