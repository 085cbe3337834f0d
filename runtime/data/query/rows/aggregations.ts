/** Aggregations of the old search: value counts, averages and extremes over all matching rows. */
import { type Build, type InputFields, type JsonExpression, Leaf, type Selected } from '../model.ts'
import { rowQuery, type RowQuery, whereSql } from './filter.ts'
import { flagOf, itemsOf, leafOf, knownTextOf } from './input.ts'
import { jsonObject, objectJson } from './json.ts'
import { integerSql } from './row-json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { columnOf, columnSql, propertyOf, relationOf, type RowScope } from './scope.ts'
import { columnKey, READ_ACCESS } from '../row-access.ts'
import { plainText } from './comparison-values.ts'
import { integer, join, emptySql, sql, type Sql } from '../../sql/sql.ts'

/** Maximum nesting. It is limited because a nested aggregation is computed for each value of its parent. */
const MAX_DEPTH = 5
/** Maximum number of values of an aggregation. */
const MAX_COUNT = 10_000

/**
 * Returns the field `aggregations` of a page. For each aggregation, `raw` contains its value, or its buckets (`key`, `doc_count` and nested
 * aggregations). `compact` contains the counts by value.
 */
export function aggregationsJson(call: Selected, page: Selected, reading: RowQuery, build: Build): JsonExpression {
  const aggregatedRows = ({ scope, conditions }: RowQuery): AggregatedRows => ({
    from: sql`${relationOf(scope.rows)} ${scope.alias}`,
    conditions,
    values: (field) => valuesSql(field, scope, build),
  })
  const allRows = (): AggregatedRows => {
    const every = rowQuery({ rows: reading.scope.rows === 'users' ? 'users' : 'records', filter: undefined }, build)
    build.addRowAccess({ ...READ_ACCESS, ...every.scope, range: call.range })
    return aggregatedRows(every)
  }
  return aggregationsOfRows(call, page, aggregatedRows(reading), allRows, build)
}

/** The rows that are aggregated. */
interface AggregatedRows {
  /** The SQL after `from`. */
  readonly from: Sql
  readonly conditions: readonly Sql[]
  /** Returns the values that a row has for a field of an aggregation, as an SQL array of texts. */
  readonly values: (field: InputFields) => Sql
}

/**
 * Returns the aggregations over rows.
 * @param allRows returns the rows of `global` groups
 */
export function aggregationsOfRows(
  call: Selected,
  page: Selected,
  rows: AggregatedRows,
  allRows: () => AggregatedRows,
  build: Build,
): JsonExpression {
  const groups = itemsOf(page.args['aggregations'])
  const parts = call.selection.map((field) => {
    const compact = field.name === 'compact'
    const type = scalarResultType(field.type)
    if (field.name === '__typename')
      return { key: field.responseKey, json: { sql: sql`'Aggregations'::text`, shape: null, type } }
    const objects = groups.map((group) => groupSql(group, rows, allRows, compact, build))
    const expression = objects.length === 0 ? sql`'{}'::jsonb` : join(objects, ' || ')
    return { key: field.responseKey, json: { sql: sql`(${expression})`, shape: null, type } }
  })
  const object = objectJson(parts, call.range)
  return { ...object, type: wrapType(call.type, object.type) }
}

/** Returns the aggregations of a group. They are under the group's name, or at the top level when the group has no name. */
function groupSql(
  group: InputFields,
  rows: AggregatedRows,
  allRows: () => AggregatedRows,
  compact: boolean,
  build: Build,
): Sql {
  const groupRows = flagOf(group['global'], false) === true ? allRows() : rows
  const object = fieldsSql(itemsOf(group['fields']), { ...groupRows, compact }, 1, build)
  const name = leafOf(group['name'])
  return name === null ? object : sql`jsonb_build_object(${build.bind(name, 'text', textOrEmpty)}, ${object})`
}

interface AggregationContext extends AggregatedRows {
  readonly compact: boolean
}

/** Returns a `jsonb` object of the aggregations by name. */
function fieldsSql(fields: readonly InputFields[], context: AggregationContext, depth: number, build: Build): Sql {
  if (depth > MAX_DEPTH) {
    const message = `Aggregations can be nested at most ${MAX_DEPTH} levels deep.`
    const mistake = { kind: 'limit', name: 'aggregations' } as const
    build.reportProblem({
      code: 'value',
      message,
      range: leafOf(fields[0]?.['name'])?.range ?? null,
      hint: null,
      mistake,
    })
    return sql`'{}'::jsonb`
  }
  const pairs = fields.flatMap((field) => {
    const name = leafOf(field['name'])
    if (name === null) return []
    return [
      { name: build.bind(name, 'text', textOrEmpty), value: sql`(${aggregationSql(field, context, depth, build)})` },
    ]
  })
  return pairs.length === 0 ? sql`'{}'::jsonb` : sql`(${jsonObject(pairs)})::jsonb`
}

function textOrEmpty(value: unknown): string {
  return plainText(value) ?? ''
}

const METRICS: ReadonlyMap<string, Sql> = new Map([
  ['avg', sql`avg`],
  ['max', sql`max`],
  ['min', sql`min`],
])
const NUMERAL = sql`'^\\s*[-+]?(\\d{1,255}\\.?\\d{0,255}|\\.\\d{1,255})\\s*$'`

function aggregationSql(field: InputFields, context: AggregationContext, depth: number, build: Build): Sql {
  const { from, conditions, compact } = context
  const values = context.values(field)
  const type = knownTextOf(field['type']) ?? 'terms'
  const metric = METRICS.get(type)
  if (metric !== undefined) {
    const number = sql`${metric}(case when v ~ ${NUMERAL} then v::numeric end)`
    const value = sql`select ${number} from ${from} cross join lateral unnest(${values}) v${whereSql(conditions)}`
    return compact ? value : sql`select jsonb_build_object('value', (${value}))`
  }
  const sort = itemsOf(field['sort'])[0] ?? {}
  const sortExpression = knownTextOf(sort['name']) === '_count' ? sql`count(*)` : sql`v`
  const direction = knownTextOf(sort['order']) === 'desc' ? sql`desc` : sql`asc`
  const size = leafOf(field['size'])
  const limit = size === null ? sql`200` : integerSql(size, build, bucketCount)
  const counted = sql`select v as key, count(*) as n, row_number() over (order by ${sortExpression} ${direction}, v) as place
    from ${from} cross join lateral unnest(${values}) v where ${join([...conditions, sql`v is not null`], ' and ')}
    group by v order by place limit ${limit}`
  const bucket = build.newAlias('b')
  const nestedAggregations = itemsOf(field['aggregations'])
  const bucketConditions = [...conditions, sql`${bucket}.key = any(${values})`]
  const nestedJson =
    nestedAggregations.length === 0
      ? null
      : fieldsSql(nestedAggregations, { ...context, conditions: bucketConditions }, depth + 1, build)
  if (compact) {
    const value =
      nestedJson === null ? sql`to_jsonb(${bucket}.n)` : sql`jsonb_build_object('count', ${bucket}.n) || ${nestedJson}`
    return sql`select coalesce(jsonb_object_agg(${bucket}.key, ${value}), '{}') from (${counted}) ${bucket}`
  }
  const bucketJson = sql`jsonb_build_object('key', ${bucket}.key, 'doc_count', ${bucket}.n)`
  const list = sql`coalesce(jsonb_agg(${bucketJson}${nestedJson === null ? emptySql : sql` || ${nestedJson}`} order by ${bucket}.place), '[]')`
  return sql`select jsonb_build_object('buckets', ${list}) from (${counted}) ${bucket}`
}

function bucketCount(value: unknown): number {
  return typeof value === 'number' ? Math.max(0, Math.min(MAX_COUNT, Math.trunc(value))) : 200
}

/** Returns the values of a row for a field, as an SQL array of texts. */
function valuesSql(field: InputFields, scope: RowScope, build: Build): Sql {
  const profile = leafOf(field['profile_property_name'])
  if (profile !== null && scope.rows === 'users') {
    const type = knownTextOf(field['profile_type']) ?? 'default'
    const profileScope: RowScope = { rows: 'profiles', alias: build.newAlias('p'), tables: [type] }
    const typeCondition = sql`${profileScope.alias}.profile_type = ${build.nameLiteral(type)}`
    return valuesOfRelatedRows(
      profileScope,
      sql`${profileScope.alias}.user_id = ${scope.alias}.id and ${typeCondition}`,
      elementsSql(profileScope, profile, build),
    )
  }
  const customization = leafOf(field['customization_property_name'])
  if (customization !== null && scope.rows === 'users') {
    const table = knownTextOf(field['customization_name'])
    const recordScope: RowScope = {
      rows: 'records',
      alias: build.newAlias('r'),
      tables: table === null ? null : [table],
    }
    const tie = { key: columnKey('user_id'), to: scope.alias, toKey: columnKey('id'), as: 'shown' } as const
    build.addRowAccess({ ...READ_ACCESS, ...recordScope, relations: [tie], range: customization.range })
    const number = table === null ? null : build.catalog.tableId(table)
    const tableCondition = table === null ? emptySql : sql` and ${recordScope.alias}.table_id = ${integer(number ?? 0)}`
    return valuesOfRelatedRows(
      recordScope,
      sql`${recordScope.alias}.user_id = ${scope.alias}.id${tableCondition}`,
      elementsSql(recordScope, customization, build),
    )
  }
  if (customization !== null) return elementsSql(scope, customization, build)
  const name = leafOf(field['field_name']) ?? leafOf(field['name'])
  const text = knownTextOf(name ?? undefined)
  const column = text === null ? null : columnOf(scope, text)
  if (column !== null) {
    const expression = columnSql(scope, column)
    return sql`array[${column.as === 'time' ? sql`(extract(epoch from ${expression}) * 1000)::bigint::text` : sql`${expression}::text`}]`
  }
  if (name === null) return sql`array[]::text[]`
  return elementsSql(scope, name, build, text === null ? null : propertyNameIn(text))
}

/** Returns the property name in a path of the old search: `title` for `properties.title` and `properties.title.raw`. */
export function propertyNameIn(path: string): string {
  return path.replace(/^properties\./, '').replace(/\.raw$/, '')
}

function valuesOfRelatedRows(relatedScope: RowScope, joined: Sql, list: Sql): Sql {
  return sql`array(select w from ${relationOf(relatedScope.rows)} ${relatedScope.alias} cross join lateral unnest(${list}) w
    where ${joined} and ${relatedScope.alias}.deleted_at is null)`
}

/** Returns the elements of a list property, or its single value, as an SQL array of texts. */
function elementsSql(scope: RowScope, name: Leaf, build: Build, knownName: string | null = null): Sql {
  const nameLeaf =
    typeof knownName === 'string' ? new Leaf(knownName, { kind: 'constant', value: knownName }, name.range) : name
  const property = propertyOf(scope, nameLeaf, build, 'aggregate')
  const json = property.sql('json')
  const items = sql`array(select jsonb_array_elements_text(${json}))`
  return sql`(case jsonb_typeof(${json}) when 'array' then ${items} else array[nullif(${property.sql('whole')}, '')] end)`
}
