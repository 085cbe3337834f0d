/** Summarizes a plan in sentences: what is read and how, which indexes are used, and what prevents the use of an index. */
import type { IndexKey, IndexSpec } from '../../../runtime/page/compiled.ts'
import { type Analysis, type Catalog, createIndexSql } from '../../../runtime/data/query/index.ts'
import { nodesOf, type Plan, type PlanNode } from './plan.ts'

export interface IndexState {
  readonly name: string
  /** Description of the index, for example `listing: category_id, created_at desc (living rows)`. */
  readonly holds: string
  readonly state: 'used' | 'there' | 'not built yet'
}

export interface TableScan {
  /** Logical name of a table, `users`, or the name of the relation. */
  readonly table: string
  readonly how: 'index' | 'sequential'
  readonly index: string | null
  /** Number of rows read; an estimate when the statement did not run. */
  readonly rows: number
  /** Number of rows that meet the conditions. */
  readonly fitting: number
}

export interface UnindexedRead {
  readonly reason: string
  /** Line in the document, from 1. */
  readonly line: number | null
}

/** Below this number of rows, a sequential scan is fastest even if there is an index. */
const SMALL_TABLE = 1_000

/** Returns the tables that the plans read, and how. */
export function tableScansIn(
  plans: readonly Plan[],
  catalog: Catalog,
  specs: ReadonlyMap<string, IndexSpec>,
): readonly TableScan[] {
  return plans.flatMap(({ root }) => {
    const nodes = nodesOf(root)
    return nodes.flatMap((node): readonly TableScan[] => {
      // A bitmap index scan has the index, but its parent node reads the rows.
      if (node.kind === 'Bitmap Index Scan' || node.relation === null) return []
      const bitmap = node.kind === 'Bitmap Heap Scan' ? nodesOf(node).find(({ index }) => index !== null) : undefined
      const index = node.index ?? bitmap?.index ?? null
      if (index === null && node.kind !== 'Seq Scan') return []
      return [
        {
          table: tableOf(node, bitmap, catalog, specs),
          how: index === null ? 'sequential' : 'index',
          index,
          rows: (node.rows ?? node.expected) + node.removed,
          fitting: node.rows ?? node.expected,
        },
      ]
    })
  })
}

function tableOf(
  node: PlanNode,
  bitmap: PlanNode | undefined,
  catalog: Catalog,
  specs: ReadonlyMap<string, IndexSpec>,
): string {
  if (node.relation !== 'records') return node.relation ?? ''
  const indexSpec = specs.get(node.index ?? bitmap?.index ?? '')?.table
  if (indexSpec !== undefined && indexSpec !== null) return indexSpec
  const text = [...node.conditions, ...(bitmap?.conditions ?? [])].join(' ')
  const id = /\btable_id = (\d+)/.exec(text)?.[1]
  return (id === undefined ? null : catalog.tableName(Number(id))) ?? 'records'
}

/** Returns the indexes that the operation needs, by their names in the database. */
export function specsByName(analysis: Analysis, catalog: Catalog): ReadonlyMap<string, IndexSpec> {
  return new Map(
    analysis.indexes.flatMap((spec) => {
      const index = createIndexSql(spec, catalog)
      return index === null ? [] : [[index.name, spec] as const]
    }),
  )
}

export function indexStates(
  specs: ReadonlyMap<string, IndexSpec>,
  readings: readonly TableScan[],
  built: ReadonlySet<string>,
): readonly IndexState[] {
  const used = new Set(readings.map(({ index }) => index))
  const own = [...specs].map(([name, spec]) => ({ name, holds: describeIndex(spec) }))
  const others = [...used].filter((name): name is string => name !== null && !specs.has(name))
  const all = [
    ...own.map(({ name, holds: what }): IndexState => {
      return { name, holds: what, state: used.has(name) ? 'used' : built.has(name) ? 'there' : 'not built yet' }
    }),
    ...others.map((name): IndexState => ({ name, holds: BUILT_IN[name] ?? 'of another query', state: 'used' })),
  ]
  const order: readonly string[] = ['used', 'there', 'not built yet']
  return all.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

/** Indexes that every table has. */
const BUILT_IN: Readonly<Record<string, string>> = {
  records_pkey: 'records: id',
  records_table_id: 'records of a table: id (living rows)',
  records_external_id: 'records of a table: external_id',
  records_user_id: 'records: user_id',
  records_deleted_at: 'records: deleted_at',
  users_pkey: 'users: id',
  users_email: 'users: email (living rows)',
  users_slug: 'users: slug (living rows)',
  users_external_id: 'users: external_id',
  profiles_pkey: 'profiles: id',
  profiles_user_id_profile_type_key: 'profiles: user, type',
}

function describeIndex({ table, method, alive, keys }: IndexSpec): string {
  const kind = method === 'gin' ? 'elements of ' : method === 'trigram' ? 'parts of the text ' : ''
  return `${table ?? 'users'}: ${kind}${keys.map(formatKey).join(', ')}${alive ? ' (living rows)' : ''}`
}

function formatKey(key: IndexKey): string {
  const name = 'column' in key ? key.column : key.property
  return `${name}${key.order === 'desc' ? ' desc' : ''}`
}

/** Returns the conditions that no index can serve, with their lines. */
export function unindexedReadsIn(analysis: Analysis, document: string): readonly UnindexedRead[] {
  const all = analysis.needs.flatMap(({ unserved }) => unserved)
  return all.map(({ reason, range }) => ({
    reason,
    line: range === null ? null : document.slice(0, range.start).split('\n').length,
  }))
}

/** Formats the summary. */
export function summarySentences(
  readings: readonly TableScan[],
  indexes: readonly IndexState[],
  unserved: readonly UnindexedRead[],
  ran: boolean,
): readonly string[] {
  const byName = new Map(indexes.map((index) => [index.name, index]))
  const lines = readings.map(({ table, how, index, rows, fitting }) => {
    const count = `${ran ? '' : 'about '}${rows.toLocaleString('en-US')} rows`
    const fit = fitting === rows ? '' : `, ${fitting.toLocaleString('en-US')} of them match`
    if (how === 'index')
      return `${table}: ${count} through the index ${index} (${byName.get(index ?? '')?.holds ?? ''})${fit}.`
    const reason = rows < SMALL_TABLE ? ' For so few rows this is fastest.' : ''
    return `${table}: all rows are read in sequence: ${count}${fit}.${reason}`
  })
  const missing = indexes.filter(({ state }) => state === 'not built yet')
  return [
    ...(lines.length === 0 ? ['No table is read.'] : lines),
    ...missing.map(
      ({ name, holds: what }) =>
        `The index ${name} (${what}) would serve this query, but is not built yet: the server builds it.`,
    ),
    ...unserved.map(unservedSentence),
  ]
}

/** Returns why no index can serve a part of a query. */
export function unservedSentence({ reason, line }: UnindexedRead): string {
  return `No index can serve ${line === null ? 'a part of the query' : `line ${line}`}: ${reason}.`
}
