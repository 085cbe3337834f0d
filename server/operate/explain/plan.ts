/** Converts the result of `explain (format json)` to plan nodes, and plan nodes to an indented tree of lines. */

export interface PlanNode {
  /** Kind of the node, for example `Index Scan` or `Sort`. */
  readonly kind: string
  /** Name of the table without its schema, for example `records` or `users`. */
  readonly relation: string | null
  readonly index: string | null
  /** Conditions in PostgreSQL's notation. */
  readonly conditions: readonly string[]
  readonly expected: number
  /** Rows of all loops; null when the statement did not run. */
  readonly rows: number | null
  /** Rows that were read and filtered out. */
  readonly removed: number
  readonly loops: number
  /** Milliseconds of all loops, including child nodes; null when the statement did not run. */
  readonly ms: number | null
  /** Pages of 8 kB. */
  readonly pages: number | null
  readonly children: readonly PlanNode[]
}

export interface Plan {
  readonly root: PlanNode
  /** Milliseconds. */
  readonly planning: number | null
  readonly execution: number | null
}

type Fields = Readonly<Record<string, unknown>>

/** Converts the parsed column `QUERY PLAN`. */
export function readPlan(value: unknown): Plan {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const fields = fieldsOf(first)
  return {
    root: readNode(fieldsOf(fields['Plan'])),
    planning: numberOf(fields['Planning Time']),
    execution: numberOf(fields['Execution Time']),
  }
}

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Order By',
  'Sort Key',
]

function readNode(fields: Fields): PlanNode {
  const loops = numberOf(fields['Actual Loops']) ?? 1
  const rows = numberOf(fields['Actual Rows'])
  const ms = numberOf(fields['Actual Total Time'])
  const hit = numberOf(fields['Shared Hit Blocks'])
  const children = fields['Plans']
  return {
    kind: `${stringOf(fields['Node Type'])}`,
    relation: stringOf(fields['Relation Name']),
    index: stringOf(fields['Index Name']),
    conditions: CONDITIONS.flatMap((name) => {
      const value = fields[name]
      const text = Array.isArray(value) ? value.join(', ') : stringOf(value)
      return text === null ? [] : [`${name}: ${text}`]
    }),
    expected: numberOf(fields['Plan Rows']) ?? 0,
    rows: rows === null ? null : Math.round(rows * loops),
    removed: Math.round(
      ((numberOf(fields['Rows Removed by Filter']) ?? 0) + (numberOf(fields['Rows Removed by Index Recheck']) ?? 0)) *
        loops,
    ),
    loops,
    ms: ms === null ? null : ms * loops,
    pages: hit === null ? null : hit + (numberOf(fields['Shared Read Blocks']) ?? 0),
    children: Array.isArray(children) ? children.map((child) => readNode(fieldsOf(child))) : [],
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Returns all nodes, parents first. */
export function nodesOf(root: PlanNode): readonly PlanNode[] {
  return [root, ...root.children.flatMap(nodesOf)]
}

/** Formats the tree: one line for each node and each condition. */
export function formatPlan(root: PlanNode, depth = 0): readonly string[] {
  const indent = '  '.repeat(depth)
  const on = root.relation === null ? '' : ` on ${root.relation}`
  const by = root.index === null ? '' : ` by ${root.index}`
  return [
    `${indent}${root.kind}${on}${by}  (${formatMeasures(root)})`,
    ...root.conditions.map((condition) => `${indent}    ${shorten(condition)}`),
    ...root.children.flatMap((child) => formatPlan(child, depth + 1)),
  ]
}

function formatMeasures({ rows, expected, removed, loops, ms, pages }: PlanNode): string {
  if (rows === null) return `expects ${expected} rows`
  return [
    `${rows} rows, expected ${expected}`,
    ...(removed > 0 ? [`${removed} more filtered out`] : []),
    ...(loops > 1 ? [`${loops} loops`] : []),
    ...(ms === null ? [] : [`${ms.toFixed(2)} ms`]),
    ...(pages === null ? [] : [`${pages} pages`]),
  ].join(', ')
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
