/** Findings about recorded requests of a served site: explains its queries with the site's database. */
import type { Sql } from 'postgres'
import { isObject } from '../../../runtime/data/values/json-data.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { explainOperation, type Explanation } from '../explain/explain.ts'
import { type Finding, findFindings, type SiteQuery } from './findings.ts'
import type { FindFindings } from './recorded-items.ts'
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
export function siteFindings(index: RequestIndex, served: () => ExplainedSite | null): FindFindings {
  return (summary, detail) =>
    findFindings(summary, detail, {
      queryOf(name) {
        const operations = served()?.site.operations ?? {}
        const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
        return operation === undefined ? null : { file: operation.file, document: operation.document }
      },
      async explain(query, variables) {
        const current = served()
        if (current === null) return []
        const { site, ids, sql } = current
        const explanation = await explainOperation(sql, query.document, isObject(variables) ? variables : {}, {
          ...{ data: site.data, ids, build: site.options, analyze: false, viewer: null, seconds: EXPLAIN_TIME },
        })
        return readingFindings(query, explanation)
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
    })
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
      sentence: `${sentence} No index can serve ${line === null ? 'a part of it' : `line ${line}`}: ${reason}.`,
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
          : 'Nothing needs to be written: the server builds the index in the background after the next build of the site.',
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
