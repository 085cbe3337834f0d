/** Collections of rows without properties, such as constants and activities. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { fieldsOf, itemsOf, leafOf, directionOf } from './input.ts'
import { constantJson, jsonList, listShape, objectJson } from './json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { whereSql } from './filter.ts'
import { listConverter, plainText } from './comparison-values.ts'
import { identifier, integer, join, sql, type Sql } from '../../sql/sql.ts'
import { sortTerm, listedValuesTerm } from '../null-order.ts'

/** The rows of a collection, and how they are shown. */
interface PlainRows {
  /** The SQL after `from`, such as `ingot.constants c`, including joins. */
  readonly from: Sql
  readonly alias: Sql
  readonly conditions: readonly Sql[]
  /** The terms of `order by`. */
  readonly order: Sql
  /** Returns the JSON of a field of a row. */
  readonly field: (call: Selected) => JsonExpression
  /** The maximum page number and page size. */
  readonly maximum?: { readonly page: number; readonly size: number }
  /** Returns the JSON of a further field of the collection. */
  readonly additionalField?: (call: Selected) => JsonExpression | null
  /** Returns the list of results. Absent when the list is built from `field`. */
  readonly results?: (call: Selected, page: { readonly size: Sql; readonly page: Sql }) => JsonExpression
}

/** Returns the selected fields of one row. */
export function plainRow(call: Selected, field: (call: Selected) => JsonExpression): JsonExpression {
  return objectJson(
    call.selection.map((one) => ({
      key: one.responseKey,
      json: one.name === '__typename' ? typenameJson(call, one) : field(one),
    })),
    call.range,
  )
}

function typenameJson(owner: Selected, call: Selected): JsonExpression {
  return constantJson(owner.type.toString().replace(/[[\]!]/g, ''), scalarResultType(call.type))
}

/** Returns a page of the rows, as `call` selects it. */
export function plainCollection(call: Selected, rows: PlainRows, build: Build): JsonExpression {
  const page = pageParameter(call.args['page'], 1, rows.maximum?.page ?? MAX_COUNT, build)
  const size = pageParameter(call.args['per_page'], 0, rows.maximum?.size ?? MAX_COUNT, build)
  const matching = sql`from ${rows.from}${whereSql(rows.conditions)}`
  const total = sql`(select count(*) ${matching})`
  const object = objectJson(
    call.selection.map((field) => ({ key: field.responseKey, json: counter(field) })),
    call.range,
  )
  return { ...object, type: wrapType(call.type, object.type) }

  function counter(field: Selected): JsonExpression {
    const plain = (expression: Sql): JsonExpression => ({
      sql: expression,
      shape: null,
      type: scalarResultType(field.type),
    })
    switch (field.name) {
      case 'results': {
        if (rows.results !== undefined) return rows.results(field, { size, page })
        const row = plainRow(field, rows.field)
        const limited = sql`select ${rows.alias}.* ${matching} order by ${rows.order} limit ${size} offset (${page} - 1) * ${size}`
        const expression = jsonList(row.sql, sql`from (${limited}) ${rows.alias}`)
        return { sql: expression, shape: listShape(row.shape), type: wrapType(field.type, row.type) }
      }
      case 'total_entries':
        return plain(total)
      case 'total_pages':
        return plain(sql`coalesce(ceil(${total}::numeric / nullif(${size}, 0)), 0)`)
      case 'current_page':
        return plain(page)
      case 'per_page':
        return plain(size)
      case 'has_previous_page':
        return plain(sql`${page} > 1`)
      case 'has_next_page':
        return plain(sql`(${size} > 0 and ${total} > ${page} * ${size})`)
      default:
        return rows.additionalField?.(field) ?? typenameJson(call, field)
    }
  }
}

const MAX_COUNT = 2 ** 31 - 1

function pageParameter(input: Input | undefined, minimum: number, maximum: number, build: Build): Sql {
  const leaf = leafOf(input)
  if (leaf === null) return sql`${integer(minimum)}::bigint`
  return build.bind(leaf, 'bigint', (value) =>
    typeof value === 'number' ? Math.max(minimum, Math.min(maximum, Math.trunc(value))) : minimum,
  )
}

/** Returns the terms of `order by` for a `StandardSort` on columns that have the names of its keys. The last term is the id. */
export function plainOrder(sort: Input | undefined, alias: Sql, columns: ReadonlySet<string>, build: Build): Sql {
  return join([...plainTerms(sort, alias, columns, build), sql`${alias}.id`])
}

/** Returns the same terms without the id. */
export function plainTerms(
  sort: Input | undefined,
  alias: Sql,
  columns: ReadonlySet<string>,
  build: Build,
): readonly Sql[] {
  const terms: Sql[] = []
  for (const item of itemsOf(sort)) {
    for (const [name, input] of Object.entries(item)) {
      const fields = fieldsOf(input)
      const order = leafOf(fields?.['order'])
      if (fields === null || order === null || !columns.has(name)) continue
      const direction = directionOf(order)
      const column = sql`${alias}.${identifier(name)}`
      const values = leafOf(fields['order_by_values'])
      terms.push(
        values === null
          ? sortTerm(column, direction)
          : listedValuesTerm(build.bind(values, 'text[]', listConverter(plainText)), sql`${column}::text`, direction),
      )
    }
  }
  return terms
}
