/** Aggregations of the old search: value counts, averages and extremes over all matching rows. */
import { type Build, type InputFields, type Json, Leaf, type Selected } from '../model.ts'
import { read, type Reading, whereSql } from './filter.ts'
import { flagOf, itemsOf, leafOf, textOf } from './input.ts'
import { jsonObject, objectJson } from './json.ts'
import { integerSql } from './object.ts'
import { scalarType, wrapped } from '../result-type.ts'
import { columnOf, columnSql, propertyOf, relation, type Scope } from './scope.ts'
import { columnKey, READS } from '../touched.ts'
import { plainText } from './values.ts'
import { integer, join, nothing, sql, type Sql } from '../../sql/sql.ts'

/** Maximum nesting, because a nested aggregation is computed for each value of its parent. */
const MAX_DEPTH = 5
/** Maximum number of values of an aggregation. */
const MAX_COUNT = 10_000

/**
 * The field `aggregations` of a page. For each aggregation, `raw` contains its buckets (`key`, `doc_count` and nested
 * aggregations) or its value, and `compact` the counts by value.
 */
export function aggregationsJson(call: Selected, page: Selected, reading: Reading, build: Build): Json {
  const over = ({ scope, where }: Reading): AggregatedRows => ({
    from: sql`${relation(scope.rows)} ${scope.alias}`,
    where,
    values: (field) => valuesSql(field, scope, build),
  })
  const all = (): AggregatedRows => {
    const every = read({ rows: reading.scope.rows === 'users' ? 'users' : 'records', filter: undefined }, build)
    build.touch({ ...READS, ...every.scope, at: call.at })
    return over(every)
  }
  return aggregationsOf(call, page, over(reading), all, build)
}

/** The rows to aggregate. */
export interface AggregatedRows {
  /** What follows `from`. */
  readonly from: Sql
  readonly where: readonly Sql[]
  /** The values of a row for a field of an aggregation, as an array of texts. */
  readonly values: (field: InputFields) => Sql
}

/**
 * Aggregations over any rows.
 * @param all the rows of `global` groups
 */
export function aggregationsOf(
  call: Selected,
  page: Selected,
  rows: AggregatedRows,
  all: () => AggregatedRows,
  build: Build,
): Json {
  const groups = itemsOf(page.args['aggregations'])
  const parts = call.selection.map((field) => {
    const compact = field.name === 'compact'
    const type = scalarType(field.type)
    if (field.name === '__typename')
      return { key: field.key, json: { sql: sql`'Aggregations'::text`, shape: null, type } }
    const objects = groups.map((group) => groupSql(group, rows, all, compact, build))
    const expression = objects.length === 0 ? sql`'{}'::jsonb` : join(objects, ' || ')
    return { key: field.key, json: { sql: sql`(${expression})`, shape: null, type } }
  })
  const object = objectJson(parts, call.at)
  return { ...object, type: wrapped(call.type, object.type) }
}

/** A named group is an object under its name; otherwise its aggregations are at the top. */
function groupSql(
  group: InputFields,
  rows: AggregatedRows,
  all: () => AggregatedRows,
  compact: boolean,
  build: Build,
): Sql {
  const of = flagOf(group['global'], false) === true ? all() : rows
  const object = fieldsSql(itemsOf(group['fields']), { ...of, compact }, 1, build)
  const name = leafOf(group['name'])
  return name === null ? object : sql`jsonb_build_object(${build.bind(name, 'text', nameText)}, ${object})`
}

interface Over extends AggregatedRows {
  readonly compact: boolean
}

/** A `jsonb` object of the aggregations by name. */
function fieldsSql(fields: readonly InputFields[], over: Over, depth: number, build: Build): Sql {
  if (depth > MAX_DEPTH) {
    const message = `Aggregations stand in each other no deeper than ${MAX_DEPTH}.`
    build.problem({ code: 'value', message, at: leafOf(fields[0]?.['name'])?.at ?? null, hint: null })
    return sql`'{}'::jsonb`
  }
  const pairs = fields.flatMap((field) => {
    const name = leafOf(field['name'])
    if (name === null) return []
    return [{ name: build.bind(name, 'text', nameText), value: sql`(${aggregationSql(field, over, depth, build)})` }]
  })
  return pairs.length === 0 ? sql`'{}'::jsonb` : sql`(${jsonObject(pairs)})::jsonb`
}

function nameText(value: unknown): string {
  return plainText(value) ?? ''
}

const METRICS: ReadonlyMap<string, Sql> = new Map([
  ['avg', sql`avg`],
  ['max', sql`max`],
  ['min', sql`min`],
])
const NUMERAL = sql`'^\\s*[-+]?(\\d{1,255}\\.?\\d{0,255}|\\.\\d{1,255})\\s*$'`

function aggregationSql(field: InputFields, over: Over, depth: number, build: Build): Sql {
  const { from, where, compact } = over
  const values = over.values(field)
  const type = textOf(field['type']) ?? 'terms'
  const metric = METRICS.get(type)
  if (metric !== undefined) {
    const number = sql`${metric}(case when v ~ ${NUMERAL} then v::numeric end)`
    const value = sql`select ${number} from ${from} cross join lateral unnest(${values}) v${whereSql(where)}`
    return compact ? value : sql`select jsonb_build_object('value', (${value}))`
  }
  const sort = itemsOf(field['sort'])[0] ?? {}
  const by = textOf(sort['name']) === '_count' ? sql`count(*)` : sql`v`
  const direction = textOf(sort['order']) === 'desc' ? sql`desc` : sql`asc`
  const size = leafOf(field['size'])
  const limit = size === null ? sql`200` : integerSql(size, build, bucketCount)
  const counted = sql`select v as key, count(*) as n, row_number() over (order by ${by} ${direction}, v) as place
    from ${from} cross join lateral unnest(${values}) v where ${join([...where, sql`v is not null`], ' and ')}
    group by v order by place limit ${limit}`
  const bucket = build.alias('b')
  const inner = itemsOf(field['aggregations'])
  const inside = [...where, sql`${bucket}.key = any(${values})`]
  const more = inner.length === 0 ? null : fieldsSql(inner, { ...over, where: inside }, depth + 1, build)
  if (compact) {
    const value = more === null ? sql`to_jsonb(${bucket}.n)` : sql`jsonb_build_object('count', ${bucket}.n) || ${more}`
    return sql`select coalesce(jsonb_object_agg(${bucket}.key, ${value}), '{}') from (${counted}) ${bucket}`
  }
  const own = sql`jsonb_build_object('key', ${bucket}.key, 'doc_count', ${bucket}.n)`
  const list = sql`coalesce(jsonb_agg(${own}${more === null ? nothing : sql` || ${more}`} order by ${bucket}.place), '[]')`
  return sql`select jsonb_build_object('buckets', ${list}) from (${counted}) ${bucket}`
}

function bucketCount(value: unknown): number {
  return typeof value === 'number' ? Math.max(0, Math.min(MAX_COUNT, Math.trunc(value))) : 200
}

/** The values of a row as an array of texts. */
function valuesSql(field: InputFields, scope: Scope, build: Build): Sql {
  const profile = leafOf(field['profile_property_name'])
  if (profile !== null && scope.rows === 'users') {
    const type = textOf(field['profile_type']) ?? 'default'
    const inner: Scope = { rows: 'profiles', alias: build.alias('p'), tables: [type] }
    const typed = sql`${inner.alias}.profile_type = ${build.declared(type)}`
    return ownedValues(
      inner,
      sql`${inner.alias}.user_id = ${scope.alias}.id and ${typed}`,
      listOf(inner, profile, build),
    )
  }
  const customization = leafOf(field['customization_property_name'])
  if (customization !== null && scope.rows === 'users') {
    const table = textOf(field['customization_name'])
    const inner: Scope = { rows: 'records', alias: build.alias('r'), tables: table === null ? null : [table] }
    const tie = { key: columnKey('user_id'), to: scope.alias, toKey: columnKey('id'), as: 'shown' } as const
    build.touch({ ...READS, ...inner, ties: [tie], at: customization.at })
    const number = table === null ? null : build.catalog.tableId(table)
    const typed = table === null ? nothing : sql` and ${inner.alias}.table_id = ${integer(number ?? 0)}`
    return ownedValues(
      inner,
      sql`${inner.alias}.user_id = ${scope.alias}.id${typed}`,
      listOf(inner, customization, build),
    )
  }
  if (customization !== null) return listOf(scope, customization, build)
  const name = leafOf(field['field_name']) ?? leafOf(field['name'])
  const text = textOf(name ?? undefined)
  const column = text === null ? null : columnOf(scope, text)
  if (column !== null) {
    const expression = columnSql(scope, column)
    return sql`array[${column.as === 'time' ? sql`(extract(epoch from ${expression}) * 1000)::bigint::text` : sql`${expression}::text`}]`
  }
  if (name === null) return sql`array[]::text[]`
  return listOf(scope, name, build, text === null ? null : propertyAt(text))
}

/**
 * The name of a property, which the old search writes as a path in a document: `properties.title`,
 * `properties.title.raw`.
 */
export function propertyAt(path: string): string {
  return path.replace(/^properties\./, '').replace(/\.raw$/, '')
}

function ownedValues(inner: Scope, joined: Sql, list: Sql): Sql {
  return sql`array(select w from ${relation(inner.rows)} ${inner.alias} cross join lateral unnest(${list}) w
    where ${joined} and ${inner.alias}.deleted_at is null)`
}

/** The elements of a list property, otherwise its only value. */
function listOf(scope: Scope, name: Leaf, build: Build, known: string | null = null): Sql {
  const named = typeof known === 'string' ? new Leaf(known, { kind: 'constant', value: known }, name.at) : name
  const property = propertyOf(scope, named, build, 'aggregate')
  const json = property.sql('json')
  const items = sql`array(select jsonb_array_elements_text(${json}))`
  return sql`(case jsonb_typeof(${json}) when 'array' then ${items} else array[nullif(${property.sql('whole')}, '')] end)`
}
