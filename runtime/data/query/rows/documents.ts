/**
 * Documents of search indexes: JSON of any shape, which is found by words and by the values at paths. A path also leads into the elements
 * of lists.
 */
import {
  type Build,
  type Input,
  type InputFields,
  isBlank,
  type JsonExpression,
  Leaf,
  type Selected,
  type Shape,
} from '../model.ts'
import { plainArguments } from '../project.ts'
import { float } from '../../../page/values/number.ts'
import type { SearchField, SearchIndexDef } from '../../../page/compiled.ts'
import { aggregationsOfRows } from './aggregations.ts'
import { jsonPath, type NumberSql, numberSql, sortKey, withoutPaths } from './document-field.ts'
import { givenBounds, OPERATOR_SQL } from './column-filter.ts'
import { whereSql } from './filter.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, knownTextOf, asOneLeaf } from './input.ts'
import { jsonList, jsonObject, listShape, NULL_JSON } from './json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { plainCollection } from './plain-collection.ts'
import { listConverter, plainText } from './comparison-values.ts'
import { join, literal, emptySql, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'
import { sortTerm, jsonNullAsNull } from '../null-order.ts'

type Fields = Readonly<Record<string, unknown>>

const RELATION = sql`ingot.documents`

/** Returns the JSON of a page of the documents of an index. An unknown index is empty. */
export function documentsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('d')
  const mapping = mappingOf(call, build)
  // Indexes of the table cover one search index each, so the planner must see a literal name.
  const inIndex = sql`${alias}.search_index = ${mapping === null ? indexName(call, build) : build.nameLiteral(mapping.name)}`
  const documents = { alias, mapping }
  const query = keywordQuery(call.args['query'], documents, build)
  const whereConditions = [
    inIndex,
    ...(query === null ? [] : query.conditions),
    ...itemsOf(call.args['filter']).flatMap((item) => conditions(item, documents, build)),
  ]
  const sorts = sortTerms(call.args['sort'], documents, build)
  const order = join([
    ...(sorts.length > 0 ? sorts : query === null ? [] : [sql`${query.rank} desc`]),
    sql`${alias}.id`,
  ])
  const values = (field: InputFields): Sql => valuesSql(field, alias, build)
  const from = sql`${RELATION} ${alias}`
  const rows = sql`from ${from}${whereSql(whereConditions)}`
  const matchingRows = { from, conditions: whereConditions, values }
  return plainCollection(
    call,
    {
      from,
      alias,
      conditions: whereConditions,
      order,
      field: () => ({ sql: NULL_JSON, shape: null, type: scalarResultType(call.type) }),
      additionalField: (field) =>
        field.name === 'aggregations'
          ? aggregationsOfRows(field, call, matchingRows, () => ({ from, conditions: [inIndex], values }), build)
          : null,
      results: (field, { size, page }) => {
        const matching = isFoundByFieldIndex(call, documents) ? sql`(select * ${rows} offset 0) ${alias}` : null
        return documentListJson(
          field,
          { alias, matching: matching === null ? rows : sql`from ${matching}`, order, size, page },
          build,
        )
      },
    },
    build,
  )
}

/** Returns the JSON of a search index: its name and its number of documents. */
export function searchIndexJson(call: Selected, build: Build): JsonExpression {
  const name = indexName(call, build)
  const count = sql`(select count(*) from ${RELATION} where search_index = ${name})`
  const pairs = [
    { key: 'name', value: name },
    { key: 'total_entries', value: count },
  ]
  return { sql: jsonObject(pairs), shape: null, type: scalarResultType(call.type) }
}

/** Returns the name of the index. */
export function indexName(call: Selected, build: Build): Sql {
  const leaf = leafOf(call.args['search_index'])
  return leaf === null ? sql`''` : build.bind(leaf, 'text', plainText)
}

/** The documents to read. `mapping` is null when the site does not declare any. */
interface Documents {
  readonly alias: Sql
  readonly mapping: SearchIndexDef | null
}

/** Returns the mapping of the index, when its name is known. */
function mappingOf(call: Selected, build: Build): SearchIndexDef | null {
  const { searchIndexes = [] } = build.catalog.data
  if (searchIndexes.length === 0) return null
  const name = knownTextOf(call.args['search_index'])
  return searchIndexes.find((each) => each.name === name) ?? null
}

/** Returns the mapped field for a name. When the mapping does not define `title.raw` itself, `title.raw` is the field `title`. */
function fieldOf(name: Input | undefined, { mapping }: Documents): SearchField | null {
  const text = mapping === null ? null : knownTextOf(name)
  if (text === null) return null
  const find = (fieldName: string): SearchField | null =>
    mapping?.fields.find((each) => each.name === fieldName) ?? null
  return find(text.replace(/^properties\./, '')) ?? find(pathOf(text).join('.'))
}

/**
 * Returns whether the matching rows are found with the index of another field than the field of the sort. PostgreSQL cannot estimate how
 * few rows match, so the statement makes it find them first. When the filter and the sort use the same field, one index serves both.
 */
function isFoundByFieldIndex(call: Selected, documents: Documents): boolean {
  const narrowed = itemsOf(call.args['filter']).flatMap((item) => {
    const field = fieldOf(item['name'], documents)
    const narrows = leafOf(item['value']) !== null || leafOf(item['value_in']) !== null || hasBound(item['range'])
    return narrows && field !== null && numberSql(emptySql, field) !== null ? [field] : []
  })
  const [first] = itemsOf(call.args['sort'])
  const sorted = first === undefined ? null : fieldOf(first['name'], documents)
  return narrowed.length > 0 && (sorted === null || !narrowed.includes(sorted))
}

interface DocumentPage {
  readonly alias: Sql
  /** The matching rows: `from …`. */
  readonly matching: Sql
  readonly order: Sql
  readonly size: Sql
  readonly page: Sql
}

/** Returns the rows of a page. Only the keys are sorted, with an index if possible. Documents are read for the rows of the page only. */
function documentListJson(
  call: Selected,
  { alias, matching, order, size, page }: DocumentPage,
  build: Build,
): JsonExpression {
  const inOrder = sql`select ${alias}.search_index, ${alias}.id
    ${matching} order by ${order} limit ${size} offset (${page} - 1) * ${size}`
  // Rows are numbered after the limit, because a window over all rows would sort all of them.
  const keys = sql`select search_index, id, row_number() over () as place from (${inOrder}) p`
  const row = jsonObject([
    { key: 'id', value: sql`o.id` },
    { key: 'document', value: sql`o.document` },
  ])
  const pageRows = sql`select o.id, o.document from keys k join ingot.documents o using (search_index, id) order by k.place`
  const fields = new Map(call.selection.map((field) => [field.responseKey, scalarResultType(field.type)]))
  const type = wrapType(call.type, { kind: 'object', fields, range: call.range, table: null })
  // The list keeps the order of the rows of the subselect.
  const expression = jsonList(row, sql`from (with keys as materialized (${keys}) ${pageRows}) o`)
  return { sql: expression, shape: listShape(documentShape(call, build)), type }
}

function documentShape(call: Selected, build: Build): Shape {
  return (value, _host, variables) => {
    if (!isObject(value)) return null
    const { id, document } = value
    const properties: Record<string, unknown> = Object.create(null)
    for (const { responseKey, name, args } of call.selection)
      properties[responseKey] =
        name === '__typename'
          ? 'Document'
          : name === 'id'
            ? id
            : propertyResult(name, document, plainArguments(args, variables), build.options.floats === true)
    return properties
  }
}

function propertyResult(field: string, document: unknown, args: Fields, floats: boolean): unknown {
  if (field === 'properties') return selectProperties(document, args['select'])
  const value = valueAt(document, pathOf(args['name']))
  switch (field) {
    case 'property':
      return textOrJson(value)
    case 'property_array':
      return value === null ? [] : (Array.isArray(value) ? value : [value]).map((item) => textOrJson(item) ?? '')
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
      return isObject(value) ? value : null
    default:
      return value
  }
}

function selectProperties(document: unknown, select: unknown): unknown {
  if (!Array.isArray(select)) return document
  const names = select.flatMap((one) => (isObject(one) && typeof one['name'] === 'string' ? [one['name']] : []))
  return Object.fromEntries(names.map((name) => [name, valueAt(document, pathOf(name))]))
}

function textOrJson(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Returns the keys of a path such as `author.name`. Other search engines write `title.raw` for the exact text of `title`. */
function pathOf(name: unknown): readonly string[] {
  return String(name ?? '')
    .replace(/^properties\./, '')
    .replace(/\.raw$/, '')
    .split('.')
}

/** Returns the value at a path. Only own keys are read. A list of objects gives a list of values. */
function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value ?? null
  if (Array.isArray(value)) {
    const matching = value.map((item) => valueAt(item, [key, ...rest])).filter((item) => item !== null)
    return matching.length === 0 ? null : matching
  }
  return isObject(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : null
}

// ---- words ----------------------------------------------------------------------------------------------------------------

/** Returns the condition of a keyword and the SQL of the rank of its matches; null when there is no keyword. */
function keywordQuery(
  input: Input | undefined,
  { alias, mapping }: Documents,
  build: Build,
): { readonly conditions: readonly Sql[]; readonly rank: Sql } | null {
  const fields = fieldsOf(input)
  const keyword = leafOf(fields?.['keyword'])
  if (fields === null || keyword === null) return null
  const match = knownTextOf(fields['match_type']) ?? 'EXACT'
  const matchesAnyWord = knownTextOf(fields['operator']) === 'OR' ? sql`true` : sql`false`
  // The query is in a subquery, so that PostgreSQL evaluates it once and not for each row.
  const query = sql`(select ingot.document_query(${build.bind(keyword, 'text', plainText)}, ${literal(MATCHES.has(match) ? match : 'EXACT')}, ${matchesAnyWord}))`
  const fieldQueries = [...itemsOf(fields['fields']), ...itemsOf(fields['properties'])].flatMap((field) => {
    const name = leafOf(field['name'])
    if (name === null) return []
    const priority = leafOf(field['priority'])
    const fieldWords = sql`jsonb_to_tsvector('simple', jsonb_path_query_array(${alias}.document, ${pathSql(name, build)}), '["string"]')`
    return [{ words: fieldWords, priority: priority === null ? sql`1` : build.bind(priority, 'integer') }]
  })
  const matchesAllText = sql`${alias}.words @@ ${query}`
  if (fieldQueries.length === 0) {
    const silent = mapping === null ? [] : unsearchedPaths(mapping)
    if (silent.length === 0) return { conditions: [matchesAllText], rank: sql`ts_rank(${alias}.words, ${query})` }
    const searchedWords = sql`jsonb_to_tsvector('simple', ${withoutPaths(sql`${alias}.document`, silent)}, '["string"]')`
    return {
      conditions: [matchesAllText, sql`${searchedWords} @@ ${query}`],
      rank: sql`ts_rank(${searchedWords}, ${query})`,
    }
  }
  return {
    // The index serves the first condition.
    conditions: [
      matchesAllText,
      sql`(${join(
        fieldQueries.map(({ words }) => words),
        ' || ',
      )}) @@ ${query}`,
    ],
    rank: sql`(${join(
      fieldQueries.map(({ words, priority }) => sql`${priority} * ts_rank(${words}, ${query})`),
      ' + ',
    )})`,
  }
}

/** Paths whose values are excluded from the word search. */
function unsearchedPaths({ fields }: SearchIndexDef): readonly (readonly string[])[] {
  const key = ({ path }: SearchField): string => JSON.stringify(path)
  const texts = new Set(fields.filter(({ type }) => type === 'text').map(key))
  return fields.filter((each) => !texts.has(key(each))).map(({ path }) => path)
}

const MATCHES: ReadonlySet<string> = new Set(['EXACT', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'FUZZY'])

// ---- values ---------------------------------------------------------------------------------------------------------------

/** Returns the SQL of the path to a property. */
function pathSql(name: Leaf, build: Build): Sql {
  return sql`${build.bind(name, 'text', pathText)}::jsonpath`
}

function pathText(name: unknown): string {
  return jsonPath(pathOf(name))
}

/** Writes a test of the values at a path, in the path language. */
type PathTest = (value: unknown) => string

/** Tests equality with a filter value, which is a text but may be stored as a number or boolean. */
function equalTest(value: unknown): string {
  const text = plainText(value) ?? ''
  const forms = [JSON.stringify(text)]
  if (isNumeral(text)) forms.push(String(Number(text)))
  if (text === 'true' || text === 'false') forms.push(text)
  return forms.map((form) => `@ == ${form}`).join(' || ')
}

const amongTest: PathTest = (values) => {
  const tests = (Array.isArray(values) ? values : [values]).map(equalTest)
  // Without values, a condition that is always false.
  return tests.length === 0 ? '1 == 2' : tests.join(' || ')
}

const prefixTest: PathTest = (value) => `@ starts with ${JSON.stringify(plainText(value) ?? '')}`

const rangeTest: PathTest = (range) => rangeExpression(range, false)

/** Compares values as texts, including numbers. */
const textRangeTest: PathTest = (range) => rangeExpression(range, true)

function rangeExpression(range: unknown, texts: boolean): string {
  const tests = Object.entries(BOUNDS).flatMap(([key, sign]) => {
    const bound = isObject(range) && Object.hasOwn(range, key) ? plainText(range[key]) : null
    if (bound === null || isBlank(bound)) return []
    const text = `@ ${sign} ${JSON.stringify(bound)}`
    // Texts that contain numbers are compared as numbers too.
    return [!texts && isNumeral(bound) ? `(@ ${sign} ${Number(bound)} || @.double() ${sign} ${Number(bound)})` : text]
  })
  return tests.length === 0 ? '1 == 1' : tests.join(' && ')
}

const BOUNDS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function isNumeral(text: string): boolean {
  return /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(text) && Number.isFinite(Number(text))
}

/** Returns the conditions of a filter item. Conditions without values are omitted. */
function conditions(item: InputFields, documents: Documents, build: Build): readonly Sql[] {
  const { alias } = documents
  const field = fieldOf(item['name'], documents)
  const number = field === null ? null : numberSql(sql`${alias}.document`, field)
  if (number === null) return [...valueConditions(item, alias, field, build), ...otherConditions(item, alias, build)]
  return [...numberConditions(item, number, build), ...otherConditions(item, alias, build)]
}

/** Returns the conditions on a numeric field. They first compare its minimum and maximum, which are indexed, and then each value. */
function numberConditions(
  item: InputFields,
  { value, minimum: least, maximum: most, values: all }: NumberSql,
  build: Build,
): readonly Sql[] {
  const matching: Sql[] = []
  const bindValue = (leaf: Leaf): Sql => value(build.bind(leaf, 'text', plainText))
  const add = (condition: Sql, isNegated: boolean): void => {
    matching.push(isNegated ? sql`not coalesce(${condition}, false)` : condition)
  }
  for (const key of ['value', 'not_value']) {
    const leaf = leafOf(item[key])
    if (leaf === null) continue
    const valueSql = bindValue(leaf)
    add(sql`(${least} <= ${valueSql} and ${most} >= ${valueSql} and ${valueSql} = any(${all}))`, key !== 'value')
  }
  for (const key of ['value_in', 'not_value_in']) {
    const leaf = leafOf(item[key])
    if (leaf === null) continue
    const valueRows = sql`unnest(${build.bind(leaf, 'text[]', listConverter(plainText))}) x`
    const list = sql`array(select ${value(sql`x`)} from ${valueRows})`
    if (key === 'value_in' && knownTextOf(item['value_in_operator']) === 'AND') add(sql`${all} @> ${list}`, false)
    else {
      const boundsOverlap = sql`${least} <= (select max(${value(sql`x`)}) from ${valueRows}) and ${most} >= (select min(${value(sql`x`)}) from ${valueRows})`
      add(sql`(${boundsOverlap} and ${all} && ${list})`, key !== 'value_in')
    }
  }
  const bounds = givenBounds(item['range']).map(({ operator, leaf }) => ({ operator, bound: bindValue(leaf) }))
  for (const { operator, bound } of bounds)
    matching.push(sql`${operator.startsWith('>') ? most : least} ${OPERATOR_SQL[operator]} ${bound}`)
  // In a document with several values, each bound could match a different value. One value must match all bounds.
  if (bounds.length > 1) {
    const tests = bounds.map(({ operator, bound }) => sql`v ${OPERATOR_SQL[operator]} ${bound}`)
    matching.push(sql`exists (select from unnest(${all}) v where ${join(tests, ' and ')})`)
  }
  return matching
}

/** Conditions on values that are compared as JSON. */
function valueConditions(item: InputFields, alias: Sql, field: SearchField | null, build: Build): readonly Sql[] {
  const parts: Sql[] = []
  const add = (key: string, test: PathTest, isNegated = false): void => {
    const inputValue = item[key]
    if (inputValue === undefined || inputValue === null || (inputValue instanceof Leaf && leafOf(inputValue) === null))
      return
    const condition = pathCondition({ name: item['name'] ?? null, value: inputValue }, test, alias, build)
    parts.push(isNegated ? sql`not coalesce(${condition}, false)` : condition)
  }
  add('value', equalTest)
  add('not_value', equalTest, true)
  if (hasBound(item['range'])) add('range', field === null ? rangeTest : textRangeTest)
  add('not_value_in', amongTest, true)
  if (knownTextOf(item['value_in_operator']) === 'AND') {
    const values = leafOf(item['value_in'])
    const jsonValues =
      values === null
        ? null
        : sql`select value from jsonb_array_elements(${pathsOfAllValues(item, values, build)}) value`
    if (jsonValues !== null)
      parts.push(
        sql`not exists (${jsonValues} where not coalesce(${alias}.document @? (value #>> '{}')::jsonpath, false))`,
      )
  } else add('value_in', amongTest)
  return parts
}

/** Returns the conditions that do not depend on the type of the field. */
function otherConditions(item: InputFields, alias: Sql, build: Build): readonly Sql[] {
  const parts: Sql[] = []
  if (leafOf(item['prefix']) !== null)
    parts.push(pathCondition({ name: item['name'] ?? null, value: item['prefix'] ?? null }, prefixTest, alias, build))
  const exists = flagOf(item['exists'])
  if (exists !== null) {
    const pathExists = pathCondition(
      { name: item['name'] ?? null, value: item['exists'] ?? null },
      () => '@ != null',
      alias,
      build,
    )
    parts.push(exists ? pathExists : sql`not coalesce(${pathExists}, false)`)
  }
  return parts
}

/** Returns whether a range has a bound with a value. */
function hasBound(range: Input | undefined): boolean {
  return givenBounds(range).length > 0
}

/** Returns the paths that must all match, as a list of JSON texts. */
function pathsOfAllValues(item: InputFields, values: Leaf, build: Build): Sql {
  const nameAndValues = asOneLeaf({ name: item['name'] ?? null, value: values })
  return build.bind(nameAndValues, 'jsonb', (givenValue) => {
    const { name, value } = nameAndValue(givenValue)
    return JSON.stringify(
      (Array.isArray(value) ? value : [value]).map((one) => `${pathText(name)} ? (${equalTest(one)})`),
    )
  })
}

/** Returns the condition that a value at the path passes the test. The index serves tests of equality. */
function pathCondition(nameAndValueInput: InputFields, test: PathTest, alias: Sql, build: Build): Sql {
  const path = build.bind(asOneLeaf(nameAndValueInput), 'text', (givenValue) => {
    const { name, value } = nameAndValue(givenValue)
    return `${pathText(name)} ? (${test(value)})`
  })
  return sql`${alias}.document @? ${path}::jsonpath`
}

/** Reads an input `{ name, value }` that was bound as one parameter. */
function nameAndValue(inputValue: unknown): { readonly name: unknown; readonly value: unknown } {
  return isObject(inputValue) ? { name: inputValue['name'], value: inputValue['value'] } : { name: null, value: null }
}

/** Returns the terms of `order by`: the sort key of a mapped field, otherwise the first value at the path. JSON null counts as missing. */
function sortTerms(sort: Input | undefined, documents: Documents, build: Build): readonly Sql[] {
  const document = sql`${documents.alias}.document`
  return itemsOf(sort).flatMap((item) => {
    const name = leafOf(item['name'])
    if (name === null) return []
    const direction = knownTextOf(item['order'])?.toLowerCase() === 'desc' ? 'desc' : 'asc'
    const field = fieldOf(item['name'], documents)
    if (field !== null && field.type !== 'text') return [sortTerm(sortKey(document, field), direction)]
    const value = jsonNullAsNull(sql`jsonb_path_query_first(${document}, ${pathSql(name, build)})`)
    return [sortTerm(value, direction)]
  })
}

/** Returns the values at the path of an aggregation, as an SQL array of texts. */
function valuesSql(field: InputFields, alias: Sql, build: Build): Sql {
  const name = leafOf(field['field_name']) ?? leafOf(field['customization_property_name']) ?? leafOf(field['name'])
  if (name === null) return sql`array[]::text[]`
  const matching = sql`jsonb_path_query(${alias}.document, (${build.bind(name, 'text', pathText)} || '[*]')::jsonpath) v`
  return sql`array(select v #>> '{}' from ${matching} where jsonb_typeof(v) <> 'null')`
}
