/**
 * Collections: a page of rows with its counters. The rows of the page are found before related rows are read. Rows are counted only when a
 * total is selected. Without it, one additional row shows whether there is a next page.
 */
import { getNamedType } from 'graphql'
import type { Build, JsonExpression, Selected } from '../model.ts'
import { Leaf } from '../model.ts'
import { type RowQuery, whereSql } from './filter.ts'
import { isConstant, leafOf } from './input.ts'
import { constantJson, jsonRow, listShape, listText, objectJson, jsonFromAtom, rowsResult } from './json.ts'
import { relationSql, integerSql, listSql, pageSql, rowJson } from './row-json.ts'
import { orderSql } from './order.ts'
import { reportRows } from './index-need.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { identifier, integer, join, type Sql, sql } from '../../sql/sql.ts'

/** Maximum page number and page size. Both have 32 bits, so that their product fits into 64 bits. */
const MAX_COUNT = 2 ** 31 - 1

function pageNumber(value: unknown): number {
  return typeof value === 'number' ? Math.max(1, Math.min(MAX_COUNT, Math.trunc(value))) : 1
}

function pageSize(value: unknown): number {
  return typeof value === 'number' ? Math.max(0, Math.min(MAX_COUNT, Math.trunc(value))) : 0
}

const FIRST_PAGE = new Leaf(1, { kind: 'constant', value: 1 }, null)
const NO_ROWS = new Leaf(0, { kind: 'constant', value: 0 }, null)

/**
 * Returns the JSON of a page of rows, with the fields that `call` selects.
 * @param additionalField returns the JSON of further fields of the collection
 */
export function collectionJson(
  call: Selected,
  reading: RowQuery,
  build: Build,
  additionalField: (field: Selected) => JsonExpression | null = () => null,
): JsonExpression {
  const order = orderSql(call.args['sort'], reading, build)
  const page = new Page(call, reading, build)
  const parts = call.selection.map((field) => ({
    key: field.responseKey,
    json: additionalField(field) ?? page.field(field, order),
  }))
  reportRows(reading.scope, reading.need, call.range, build)
  const object = objectJson(parts, call.range)
  const [only, other] = parts
  return {
    sql: page.wrapObject(object.sql, order),
    shape: object.shape,
    type: wrapType(call.type, object.type),
    ...(only?.json.rows !== undefined && other === undefined && { rows: only.json.rows }),
  }
}

class Page {
  readonly #call: Selected
  readonly #reading: RowQuery
  readonly #build: Build
  /** The page number and page size. */
  readonly #number: Sql
  readonly #size: Sql
  readonly #first: boolean
  readonly #counts: boolean
  /** Whether one additional row is read, to find out whether there is a next page. */
  readonly #peeks: boolean
  /** The lists of results. When an additional row is read, they are part of the subselect. */
  readonly #peeked: Sql[] = []

  constructor(call: Selected, reading: RowQuery, build: Build) {
    this.#call = call
    this.#reading = reading
    this.#build = build
    const number = leafOf(call.args['page']) ?? FIRST_PAGE
    const size = leafOf(call.args['per_page']) ?? NO_ROWS
    this.#number = integerSql(number, build, pageNumber)
    this.#size = integerSql(size, build, pageSize)
    this.#first = isConstant(number) && pageNumber(number.value) === 1
    const names = new Set(call.selection.map(({ name }) => name))
    this.#counts = names.has('total_entries') || names.has('total_pages')
    this.#peeks = names.has('has_next_page') && !this.#counts
  }

  field(field: Selected, order: Sql): JsonExpression {
    const type = scalarResultType(field.type)
    const plain = (expression: Sql): JsonExpression => ({ sql: expression, shape: null, type })
    switch (field.name) {
      case 'results':
        return this.#results(field, order)
      case 'total_entries':
        return plain(sql`c.total`)
      case 'total_pages':
        return plain(sql`coalesce(ceil(c.total::numeric / nullif(${this.#size}, 0)), 0)`)
      case 'current_page':
        return plain(this.#number)
      case 'per_page':
        return plain(this.#size)
      case 'has_previous_page':
        return plain(sql`${this.#number} > 1`)
      case 'has_next_page':
        return plain(
          this.#counts ? sql`(${this.#size} > 0 and c.total > ${this.#number}::bigint * ${this.#size})` : sql`c.more`,
        )
      default:
        return constantJson(getNamedType(this.#call.type).name, type)
    }
  }

  /** Wraps the object of the selected fields in the statement that reads the page. */
  wrapObject(object: Sql, order: Sql): Sql {
    if (this.#counts) {
      const count = sql`select count(*) as total from ${relationSql(this.#reading)}${whereSql(this.#reading.conditions)}`
      return jsonRow(object, sql`from (${count}) c`)
    }
    if (!this.#peeks) return object
    const { alias } = this.#reading.scope
    const hasMore = sql`(count(*) > ${this.#size} and ${this.#size} > 0) as more`
    const columns = [hasMore, ...this.#peeked.map((list, index) => sql`${list} as ${resultsName(index)}`)]
    const page = sql`select ${alias}.* from ${relationSql(this.#reading)}${whereSql(this.#reading.conditions)} order by ${order}`
    // Rows are numbered after the limit, because a window over all rows would sort all of them.
    const rows = sql`select ${alias}.*, row_number() over () as n from (${page}${this.#limit(1)}) ${alias}`
    return jsonRow(object, sql`from (select ${join(columns)} from (${rows}) ${alias}) c`)
  }

  #results(field: Selected, order: Sql): JsonExpression {
    const row = rowJson(field, this.#reading.scope, this.#build)
    const shaped = { shape: listShape(row.shape), type: wrapType(field.type, row.type) }
    const { alias } = this.#reading.scope
    if (!this.#peeks) {
      const limit = this.#limit(0)
      const rows = rowsResult(row, pageSql(this.#reading, order, limit), field.responseKey)
      return { sql: listSql(this.#reading, order, limit, row.sql), ...shaped, ...(rows !== null && { rows }) }
    }
    this.#peeked.push(listText(row.sql, sql` filter (where ${alias}.n <= ${this.#size})`))
    return { sql: jsonFromAtom(sql`c.${resultsName(this.#peeked.length - 1)}`), ...shaped }
  }

  #limit(additionalRows: number): Sql {
    const limit =
      additionalRows === 0 ? sql` limit ${this.#size}` : sql` limit ${this.#size}::bigint + ${integer(additionalRows)}`
    return this.#first ? limit : sql`${limit} offset ${this.#offset()}`
  }

  #offset(): Sql {
    return sql`(${this.#number}::bigint - 1) * ${this.#size}`
  }
}

/** Returns the name of a list of results in the subselect. */
function resultsName(at: number): Sql {
  return identifier(`results${at}`)
}

/** Returns the JSON of the first row by id; null when there is none. */
export function firstJson(call: Selected, reading: RowQuery, build: Build): JsonExpression {
  const order = orderSql(undefined, reading, build)
  const row = rowJson(call, reading.scope, build)
  reportRows(reading.scope, reading.need, call.range, build)
  const expression = jsonRow(
    row.sql,
    sql`from ${relationSql(reading)}${whereSql(reading.conditions)} order by ${order} limit 1`,
  )
  return { sql: expression, shape: row.shape, type: wrapType(call.type, row.type) }
}
