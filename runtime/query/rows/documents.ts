/** Documents of search indexes: JSON of any shape, found by words and by values at paths, which reach through lists. */
import { type Build, type Input, type InputFields, type Json, Leaf, type Selected, type Shape } from '../model.ts'
import { plainArguments } from '../project.ts'
import { float } from '../../values/number.ts'
import { aggregationsOf } from './aggregations.ts'
import { whereSql } from './filter.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, textOf, wholeLeaf } from './input.ts'
import { jsonList, jsonObject, listShape } from './json.ts'
import { scalarType, wrapped } from './output.ts'
import { plainCollection } from './plain.ts'
import { plainText } from './values.ts'

type Fields = Readonly<Record<string, unknown>>

const RELATION = 'ingot.documents'

/** A page of the documents of an index. An index that nothing was put in is empty. */
export function documentsJson(call: Selected, build: Build): Json {
  const alias = build.alias('d')
  const inIndex = `${alias}.search_index = ${indexName(call, build)}`
  const query = keywordQuery(call.args['query'], alias, build)
  const where = [
    inIndex,
    ...(query === null ? [] : query.where),
    ...filterConditions(call.args['filter'], alias, build),
  ]
  const sorts = sortTerms(call.args['sort'], alias, build)
  const order = [...(sorts.length > 0 ? sorts : query === null ? [] : [`${query.rank} desc`]), `${alias}.id`].join(', ')
  const values = (field: InputFields): string => valuesSql(field, alias, build)
  const from = `${RELATION} ${alias}`
  return plainCollection(
    call,
    {
      from,
      alias,
      where,
      order,
      field: () => ({ sql: 'null', shape: null, type: scalarType(call.type) }),
      more: (field) =>
        field.name === 'aggregations'
          ? aggregationsOf(field, call, { from, where, values }, () => ({ from, where: [inIndex], values }), build)
          : null,
      results: (field, { size, page }) => results(field, { alias, where, order, size, page }, build),
    },
    build,
  )
}

/** The name of an index, and how many documents it has. */
export function searchIndexJson(call: Selected, build: Build): Json {
  const name = indexName(call, build)
  const count = `(select count(*) from ${RELATION} where search_index = ${name})`
  const pairs = [
    { name: "'name'", value: name },
    { name: "'total_entries'", value: count },
  ]
  return { sql: jsonObject(pairs), shape: null, type: scalarType(call.type) }
}

/** SQL of the name of the index that is meant. */
export function indexName(call: Selected, build: Build): string {
  const leaf = leafOf(call.args['search_index'])
  return leaf === null ? "''" : build.bind(leaf, 'text', plainText)
}

interface Page {
  readonly alias: string
  readonly where: readonly string[]
  readonly order: string
  readonly size: string
  readonly page: string
}

/** The rows of a page: their keys are put in order, and only theirs are read whole. */
function results(call: Selected, { alias, where, order, size, page }: Page, build: Build): Json {
  const keys =
    `select ${alias}.search_index, ${alias}.id, row_number() over (order by ${order}) as place ` +
    `from ${RELATION} ${alias}${whereSql(where)} order by ${order} limit ${size} offset (${page} - 1) * ${size}`
  const row = jsonObject([
    { name: "'id'", value: 'o.id' },
    { name: "'document'", value: 'o.document' },
  ])
  const shown = 'select o.id, o.document from keys k join ingot.documents o using (search_index, id) order by k.place'
  const fields = new Map(call.selection.map((field) => [field.key, scalarType(field.type)]))
  const type = wrapped(call.type, { kind: 'object', fields, at: call.at, table: null })
  // Keys that are in order stay so: a list takes its rows as they come.
  const sql = jsonList(row, `from (with keys as materialized (${keys}) ${shown}) o`)
  return { sql, shape: listShape(documentShape(call, build)), type }
}

function documentShape(call: Selected, build: Build): Shape {
  return (value, _host, variables) => {
    const { id, document } = value as { readonly id: string; readonly document: unknown }
    const shown = Object.create(null) as Record<string, unknown>
    for (const { key, name, args } of call.selection)
      shown[key] =
        name === '__typename'
          ? 'Document'
          : name === 'id'
            ? id
            : shownProperty(name, document, plainArguments(args, variables), build.options.floats === true)
    return shown
  }
}

function shownProperty(field: string, document: unknown, args: Fields, floats: boolean): unknown {
  if (field === 'properties') return selected(document, args['select'])
  const value = valueAt(document, pathOf(args['name']))
  switch (field) {
    case 'property':
      return textAs(value)
    case 'property_array':
      return value === null ? [] : (Array.isArray(value) ? value : [value]).map((item) => textAs(item) ?? '')
    case 'property_boolean':
      return value === true || value === 'true' || value === 't' || value === '1'
    case 'property_float': {
      const number = numberOf(value)
      return number === null || !floats ? number : float(number)
    }
    case 'property_int': {
      const number = numberOf(value)
      return number === null ? null : Math.trunc(number)
    }
    case 'property_object':
      return isFields(value) ? value : null
    default:
      return value
  }
}

function selected(document: unknown, select: unknown): unknown {
  if (!Array.isArray(select)) return document
  const names = select.flatMap((one) => (isFields(one) && typeof one['name'] === 'string' ? [one['name']] : []))
  return Object.fromEntries(names.map((name) => [name, valueAt(document, pathOf(name))]))
}

function textAs(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `author.name` → its keys. `title.raw` is what other search engines call the exact text of `title`. */
function pathOf(name: unknown): readonly string[] {
  return String(name ?? '')
    .replace(/^properties\./, '')
    .replace(/\.raw$/, '')
    .split('.')
}

/** Own keys only; the values of a list of objects are a list. */
function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value ?? null
  if (Array.isArray(value)) {
    const found = value.map((item) => valueAt(item, [key, ...rest])).filter((item) => item !== null)
    return found.length === 0 ? null : found
  }
  return isFields(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : null
}

// ---- words ----------------------------------------------------------------------------------------------------------------

/** The condition of a keyword, and how well a document answers it; null without a keyword. */
function keywordQuery(
  input: Input | undefined,
  alias: string,
  build: Build,
): { readonly where: readonly string[]; readonly rank: string } | null {
  const fields = fieldsOf(input)
  const keyword = leafOf(fields?.['keyword'])
  if (fields === null || keyword === null) return null
  const match = textOf(fields['match_type']) ?? 'EXACT'
  const any = textOf(fields['operator']) === 'OR'
  // In a query of its own it is made once, not for each row.
  const query = `(select ingot.document_query(${build.bind(keyword, 'text', plainText)}, '${MATCHES.has(match) ? match : 'EXACT'}', ${any}))`
  const places = [...itemsOf(fields['fields']), ...itemsOf(fields['properties'])].flatMap((place) => {
    const name = leafOf(place['name'])
    if (name === null) return []
    const priority = leafOf(place['priority'])
    const words = `jsonb_to_tsvector('simple', jsonb_path_query_array(${alias}.document, ${pathSql(name, build)}), '["string"]')`
    return [{ words, priority: priority === null ? '1' : build.bind(priority, 'integer') }]
  })
  const all = `${alias}.words @@ ${query}`
  if (places.length === 0) return { where: [all], rank: `ts_rank(${alias}.words, ${query})` }
  return {
    // The first is what the index finds.
    where: [all, `(${places.map(({ words }) => words).join(' || ')}) @@ ${query}`],
    rank: `(${places.map(({ words, priority }) => `${priority} * ts_rank(${words}, ${query})`).join(' + ')})`,
  }
}

const MATCHES: ReadonlySet<string> = new Set(['EXACT', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'FUZZY'])

// ---- values ---------------------------------------------------------------------------------------------------------------

/** SQL of the place of a property. */
function pathSql(name: Leaf, build: Build): string {
  return `${build.bind(name, 'text', jsonPath)}::jsonpath`
}

/** A place as PostgreSQL's path language has it; its strings are those of JSON. */
function jsonPath(name: unknown): string {
  return `$.${pathOf(name)
    .map((key) => JSON.stringify(key))
    .join('.')}`
}

/** A test of the values at a place, of the name and the value of a condition. */
type Test = (value: unknown) => string

/** What a value of a filter, which is a text, may be in a document. */
function equal(value: unknown): string {
  const text = plainText(value) ?? ''
  const forms = [JSON.stringify(text)]
  if (isNumeral(text)) forms.push(String(Number(text)))
  if (text === 'true' || text === 'false') forms.push(text)
  return forms.map((form) => `@ == ${form}`).join(' || ')
}

const among: Test = (values) => {
  const tests = (Array.isArray(values) ? values : [values]).map(equal)
  // No value is among none.
  return tests.length === 0 ? '1 == 2' : tests.join(' || ')
}

const starting: Test = (value) => `@ starts with ${JSON.stringify(plainText(value) ?? '')}`

const within: Test = (range) => {
  const tests = Object.entries(BOUNDS).flatMap(([key, sign]) => {
    const bound = isFields(range) && Object.hasOwn(range, key) ? plainText(range[key]) : null
    if (bound === null) return []
    const text = `@ ${sign} ${JSON.stringify(bound)}`
    // Texts of numbers are numbers too.
    return [isNumeral(bound) ? `(@ ${sign} ${Number(bound)} || @.double() ${sign} ${Number(bound)})` : text]
  })
  return tests.length === 0 ? '1 == 1' : tests.join(' && ')
}

const BOUNDS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function isNumeral(text: string): boolean {
  return /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(text) && Number.isFinite(Number(text))
}

/** Conditions of all items; those on nothing are dropped. */
function filterConditions(filter: Input | undefined, alias: string, build: Build): readonly string[] {
  return itemsOf(filter).flatMap((item) => conditions(item, alias, build))
}

function conditions(item: InputFields, alias: string, build: Build): readonly string[] {
  const found: string[] = []
  const add = (key: string, test: Test, not = false): void => {
    const given = item[key]
    if (given === undefined || given === null || (given instanceof Leaf && leafOf(given) === null)) return
    const condition = matching({ name: item['name'] ?? null, value: given }, test, alias, build)
    found.push(not ? `not coalesce(${condition}, false)` : condition)
  }
  add('value', equal)
  add('not_value', equal, true)
  add('prefix', starting)
  if (hasBound(item['range'])) add('range', within)
  add('not_value_in', among, true)
  if (textOf(item['value_in_operator']) === 'AND') {
    const values = leafOf(item['value_in'])
    const each =
      values === null ? null : `select value from jsonb_array_elements(${everyPath(item, values, build)}) value`
    if (each !== null)
      found.push(`not exists (${each} where not coalesce(${alias}.document @? (value #>> '{}')::jsonpath, false))`)
  } else add('value_in', among)
  const exists = flagOf(item['exists'])
  if (exists !== null) {
    const there = matching(
      { name: item['name'] ?? null, value: item['exists'] ?? null },
      () => '@ != null',
      alias,
      build,
    )
    found.push(exists ? there : `not coalesce(${there}, false)`)
  }
  return found
}

/** A range whose bounds have no value is no condition. */
function hasBound(range: Input | undefined): boolean {
  return Object.values(fieldsOf(range) ?? {}).some((bound) => leafOf(bound) !== null)
}

/** The paths that must all be found, as a list of JSON texts. */
function everyPath(item: InputFields, values: Leaf, build: Build): string {
  const both = wholeLeaf({ name: item['name'] ?? null, value: values })
  return build.bind(both, 'jsonb', (given) => {
    const { name, value } = given as { readonly name: unknown; readonly value: unknown }
    return JSON.stringify((Array.isArray(value) ? value : [value]).map((one) => `${jsonPath(name)} ? (${equal(one)})`))
  })
}

/** Whether some value at the place passes the test; the index serves those for equality. */
function matching(both: InputFields, test: Test, alias: string, build: Build): string {
  const path = build.bind(wholeLeaf(both), 'text', (given) => {
    const { name, value } = given as { readonly name: unknown; readonly value: unknown }
    return `${jsonPath(name)} ? (${test(value)})`
  })
  return `${alias}.document @? ${path}::jsonpath`
}

/** Terms of `order by`: the first value at each place, missing ones last where it is ascending. */
function sortTerms(sort: Input | undefined, alias: string, build: Build): readonly string[] {
  return itemsOf(sort).flatMap((item) => {
    const name = leafOf(item['name'])
    if (name === null) return []
    const direction = textOf(item['order'])?.toLowerCase() === 'desc' ? ' desc' : ''
    const value = `nullif(jsonb_path_query_first(${alias}.document, ${pathSql(name, build)}), 'null')`
    return [`${value}${direction}`]
  })
}

/** The values at the place that an aggregation names, as a list of texts. */
function valuesSql(field: InputFields, alias: string, build: Build): string {
  const name = leafOf(field['field_name']) ?? leafOf(field['customization_property_name']) ?? leafOf(field['name'])
  if (name === null) return 'array[]::text[]'
  const found = `jsonb_path_query(${alias}.document, (${build.bind(name, 'text', jsonPath)} || '[*]')::jsonpath) v`
  return `array(select v #>> '{}' from ${found} where jsonb_typeof(v) <> 'null')`
}
