/** Creates the statement of a search. Names come from the stream's list of columns, and values are parameters. */
import { identifier, integer, join, emptySql, parameter, type Sql, sql } from '../../../../runtime/data/sql/sql.ts'
import type { Condition, Item, Literal, Search } from './parse.ts'
import { SearchError } from './tokens.ts'

type ColumnType = 'text' | 'number'

/** A stream that a search selects from. */
export interface Source {
  readonly name: string
  /** Selects the columns. */
  readonly rows: Sql
  readonly columns: Readonly<Record<string, ColumnType>>
}

/** Conditions in addition to those of the search. */
export interface Around {
  /** Microseconds since 1970; null for none. */
  readonly since: number | null
  readonly until: number | null
}

/** Column with the time of a row. */
const TIME_COLUMN = '_timestamp'

/**
 * Creates the statement for the rows of a search, without its limit.
 * @throws SearchError for an unknown column, or a column that is not grouped
 */
export function planned(search: Search, source: Source, around: Around = { since: null, until: null }): Source {
  if (search.from !== source.name) throw new SearchError(`there is no stream '${search.from}': use ${source.name}`)
  const aliases = new Map((search.items ?? []).map((item) => [item.as, item]))
  const grouped = search.groupBy.map((name) => groupedBy(name, aliases, source))
  const isGrouped = grouped.length > 0 || (search.items ?? []).some(({ kind }) => kind === 'call')
  const items = search.items ?? Object.keys(source.columns).map((name): Item => ({ kind: 'column', name, as: name }))
  for (const item of items)
    if (isGrouped && item.kind === 'column' && !grouped.includes(item.name))
      throw new SearchError(`the column '${item.name}' is not grouped: add it to GROUP BY, or use count, sum or avg`)
  const names = new Set(items.map(({ as }) => as))
  if (names.size < items.length)
    throw new SearchError('two columns of the result have the same name: give one an alias')
  const conditions = [...(search.where === null ? [] : [conditionOf(search.where, source)]), ...bounds(source, around)]
  const condition = conditions.length === 0 ? emptySql : sql` where ${join(conditions, ' and ')}`
  const groups = grouped.length === 0 ? emptySql : sql` group by ${join(grouped.map(identifier))}`
  const list = join(items.map((item) => sql`${valueOf(item, source)} as ${identifier(item.as)}`))
  const columns: Record<string, ColumnType> = {}
  for (const item of items) columns[item.as] = typeOf(item, source)
  return { name: 'query', columns, rows: sql`select ${list} from (${source.rows}) as source${condition}${groups}` }
}

/**
 * Creates the statement for a page of rows, in the order of the search, or the newest first.
 * @param rows the statement for all rows
 * @throws SearchError for an order by an unknown column
 */
export function paged(rows: Source, search: Search, from: number, size: number): Sql {
  const orders = search.orderBy.map(({ name, descending }) => {
    columnOf(name, rows)
    return descending ? sql`${identifier(name)} desc nulls last` : sql`${identifier(name)} nulls last`
  })
  if (orders.length === 0 && Object.hasOwn(rows.columns, TIME_COLUMN)) orders.push(sql`${identifier(TIME_COLUMN)} desc`)
  const order = orders.length === 0 ? emptySql : sql` order by ${join(orders)}`
  const most = Math.min(size, Math.max(0, (search.limit ?? size) - from))
  return sql`select * from (${rows.rows}) as query${order} limit ${integer(most)} offset ${integer(search.offset + from)}`
}

/** Creates the statement for the number of rows. */
export function countStatement(rows: Source): Sql {
  return sql`select count(*)::double precision as total from (${rows.rows}) as query`
}

/** Returns the column of a name in GROUP BY: a column of the source, or an alias in the select list. */
function groupedBy(name: string, aliases: ReadonlyMap<string, Item>, source: Source): string {
  if (Object.hasOwn(source.columns, name)) return name
  const item = aliases.get(name)
  if (item?.kind !== 'column') throw new SearchError(`there is no column '${name}' to group by`)
  return item.name
}

function bounds(source: Source, { since, until }: Around): readonly Sql[] {
  if (!Object.hasOwn(source.columns, TIME_COLUMN)) return []
  return [
    ...(since === null ? [] : [sql`${identifier(TIME_COLUMN)} >= ${parameter(since, 'double precision')}`]),
    ...(until === null ? [] : [sql`${identifier(TIME_COLUMN)} <= ${parameter(until, 'double precision')}`]),
  ]
}

function columnOf(name: string, { columns, name: source }: Source): ColumnType {
  const type = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (type === undefined)
    throw new SearchError(`${source} has no column '${name}': it has ${Object.keys(columns).join(', ')}`)
  return type
}

function typeOf(item: Item, source: Source): ColumnType {
  if (item.kind === 'column') return columnOf(item.name, source)
  return (item.call === 'min' || item.call === 'max') && item.of !== null ? columnOf(item.of, source) : 'number'
}

function valueOf(item: Item, source: Source): Sql {
  if (item.kind === 'column') {
    columnOf(item.name, source)
    return identifier(item.name)
  }
  if (item.of === null) return sql`count(*)::double precision`
  const type = columnOf(item.of, source)
  const column = identifier(item.of)
  if (item.call === 'count') return sql`count(${column})::double precision`
  if (item.call === 'min') return sql`min(${column})`
  if (item.call === 'max') return sql`max(${column})`
  if (type !== 'number') throw new SearchError(`the column '${item.of}' has no numbers`)
  if (item.call === 'sum') return sql`sum(${column})`
  if (item.call === 'avg') return sql`avg(${column})`
  return sql`percentile_cont(${parameter(item.share ?? 0.5, 'double precision')}) within group (order by ${column})`
}

function conditionOf(condition: Condition, source: Source): Sql {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return sql`(${join(
        condition.parts.map((part) => conditionOf(part, source)),
        condition.kind === 'and' ? ' and ' : ' or ',
      )})`
    case 'not':
      return sql`not (${conditionOf(condition.part, source)})`
    case 'null':
      columnOf(condition.column, source)
      return sql`${identifier(condition.column)} is null`
    case 'like': {
      const type = columnOf(condition.column, source)
      const column = identifier(condition.column)
      const text = type === 'text' ? column : sql`${column}::text`
      const pattern = parameter(condition.pattern, 'text')
      return condition.anyCase ? sql`${text} ilike ${pattern}` : sql`${text} like ${pattern}`
    }
    case 'in':
      return sql`(${join(
        condition.values.map((value) => compared(condition.column, '=', value, source)),
        ' or ',
      )})`
    case 'compare':
      return compared(condition.column, condition.sign, condition.value, source)
  }
}

const SIGNS: Readonly<Record<'=' | '<>' | '<' | '<=' | '>' | '>=', Sql>> = {
  '=': sql`=`,
  '<>': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

function compared(name: string, sign: keyof typeof SIGNS, value: Literal, source: Source): Sql {
  const type = columnOf(name, source)
  if (type === 'text') return sql`${identifier(name)} ${SIGNS[sign]} ${parameter(String(value), 'text')}`
  const number = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isNaN(number)) throw new SearchError(`the column '${name}' has numbers, but '${value}' is not a number`)
  return sql`${identifier(name)} ${SIGNS[sign]} ${parameter(number, 'double precision')}`
}
