/** Writes the JSON of a row as the query selects it: columns, properties in all forms, and nested related rows. */
import { getNamedType } from 'graphql'
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Build, Input, InputFields, JsonExpression, Leaf, ResultType, Selected } from '../model.ts'
import { credentialJson } from './credentials.ts'
import { rowQuery, type RowQuery, whereSql } from './filter.ts'
import { asFloat, withFloats } from './floats.ts'
import { imageJson } from './image.ts'
import { isConstant, itemsOf, leafOf } from './input.ts'
import { strictJoin } from './join.ts'
import { constantJson, jsonList, jsonObject, jsonRow, listShape, objectJson, NULL_JSON } from './json.ts'
import { reportRows } from './index-need.ts'
import { constantLeaf, ownedFilter, ownedSort } from './old-arguments.ts'
import { remoteJson } from './remote-json.ts'
import { orderSql } from './order.ts'
import { PROPERTY_FIELDS, type PropertyForm, selectedForm } from '../property-form.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import {
  columnJson,
  isStoredFloat,
  propertyResult,
  propertyFormType,
  storedObject,
  storedType,
  uploadJson,
} from './property-json.ts'
import { propertiesByOwner } from './properties-by-owner.ts'
import {
  columnOf,
  columnSql,
  declarationsByName,
  type Property,
  propertyOf,
  relationOf,
  type RowScope,
} from './scope.ts'
import { reportProfileType, tablesNamed } from './tables.ts'
import { columnKey, READ_ACCESS } from '../row-access.ts'
import { integer, emptySql, literal, sql, type Sql } from '../../sql/sql.ts'

/** Returns the JSON of a row of `scope`. It is never null. `field` is the field that contains the row. */
export function rowJson(field: Selected, scope: RowScope, build: Build): JsonExpression {
  const parts = field.selection.map((one) => ({ key: one.responseKey, json: fieldJson(one, field, scope, build) }))
  return objectJson(parts, field.range)
}

const OTHER_NAMES: Readonly<Record<string, string>> = { model_schema_name: 'table', model_schema_id: 'table_id' }

function fieldJson(call: Selected, owner: Selected, scope: RowScope, build: Build): JsonExpression {
  const name = OTHER_NAMES[call.name] ?? call.name
  const form = PROPERTY_FIELDS[name]
  if (form !== undefined) return propertyJson(call, form, scope, build)
  switch (name) {
    case '__typename':
      return constantJson(getNamedType(owner.type).name, scalarResultType(call.type))
    case 'name':
      // In the old search, the name of a record is the name of its table.
      if (getNamedType(owner.type).name !== 'ListingsCustomization') break
      return { sql: tableSql(scope, build), shape: null, type: scalarResultType(call.type) }
    case 'table':
      return { sql: tableSql(scope, build), shape: null, type: scalarResultType(call.type) }
    case 'profile_type':
      return { sql: sql`${scope.alias}.profile_type`, shape: null, type: scalarResultType(call.type) }
    case 'properties':
      return propertiesJson(call, scope, build)
    case 'property_upload': {
      const property = namedProperty(call, scope, build)
      return property === null ? nullJson(call) : uploadJson(property, call, build)
    }
    case 'custom_image':
      return imageJson(call, scope, build)
    case 'related_record':
    case 'related_model':
      return relatedJson(call, 'records', false, scope, build)
    case 'related_records':
    case 'related_models':
      return relatedJson(call, 'records', true, scope, build)
    case 'related_user':
    case 'user':
      return relatedJson(call, 'users', false, scope, build)
    case 'related_users':
      return relatedJson(call, 'users', true, scope, build)
    case 'customizations':
      return ownedJson(call, scope, build)
    case 'profile':
    case 'profiles':
      return profilesJson(call, name === 'profiles', scope, build)
    case 'remote_records':
    case 'remote_users':
      return remoteJson(call, scope, build)
  }
  const column = columnOf(scope, name)
  if (column === null) return credentialJson(call, scope, build) ?? nullJson(call)
  return { sql: columnJson(columnSql(scope, column), column), shape: null, type: scalarResultType(call.type) }
}

/** Returns the JSON null: after a reported problem, and for a field that the rows do not have. */
function nullJson(call: Selected): JsonExpression {
  return { sql: NULL_JSON, shape: null, type: scalarResultType(call.type) }
}

function tableSql(scope: RowScope, build: Build): Sql {
  const [only, ...others] = scope.tables ?? []
  if (only !== undefined && others.length === 0) return sql`${build.nameLiteral(only)}::text`
  return sql`(select t.name from ingot.tables t where t.id = ${scope.alias}.table_id)`
}

function namedProperty(call: Selected, scope: RowScope, build: Build): Property | null {
  const name = leafOf(call.args['name'])
  return name === null ? null : propertyOf(scope, name, build, 'read')
}

function propertyJson(call: Selected, form: PropertyForm, scope: RowScope, build: Build): JsonExpression {
  const property = namedProperty(call, scope, build)
  if (property === null) return nullJson(call)
  return withType(propertyResult(property, form), form, scalarResultType(call.type), build)
}

function withType(
  value: ReturnType<typeof propertyResult>,
  form: PropertyForm,
  type: JsonExpression['type'],
  build: Build,
): JsonExpression {
  return form === 'float' ? asFloat({ ...value, type }, build) : { ...value, type }
}

/** Returns the JSON of all properties, or of the selected properties with the requested types. */
function propertiesJson(call: Selected, scope: RowScope, build: Build): JsonExpression {
  const select = itemsOf(call.args['select'])
  if (select.length > 0) return selectedJson(call, select, scope, build)
  const declared = declarationsByName(scope, build)
  if (declared === null) return { ...propertiesByOwner(scope, [], build), type: scalarResultType(call.type) }
  const fields = new Map([...declared].map(([name, properties]) => [name, commonType(properties)]))
  const table = scope.rows === 'records' && scope.tables?.length === 1 ? (scope.tables[0] ?? null) : null
  const floatNames = floatsOfAll(declared)
  const first = [...declared.values()].flatMap((same) => same.slice(0, 1))
  const stored =
    floatNames === null
      ? propertiesByOwner(scope, [...declared.keys()], build)
      : withFloats(storedObject(scope, first, build), floatNames, build)
  return {
    ...stored,
    type: wrapType(call.type, { kind: 'object', fields, range: table === null ? call.range : null, table }),
  }
}

type Declarations = ReadonlyMap<string, readonly PropertyDef[]>

/** Returns the common type of a property. When tables declare it with different types, the type is JSON. */
function commonType(declarations: readonly PropertyDef[]): ResultType {
  const [type, ...others] = new Map(declarations.map((property) => [property.type, storedType(property)])).values()
  return type === undefined || others.length > 0 ? propertyFormType('json') : type
}

/** Returns the names of the properties that are floats in all tables that declare them; null when tables differ. */
function floatsOfAll(declared: Declarations): readonly string[] | null {
  const floats = [...declared].filter(([, properties]) => properties.some(isStoredFloat))
  return floats.every(([, properties]) => properties.every(isStoredFloat)) ? floats.map(([name]) => name) : null
}

function selectedJson(call: Selected, select: readonly InputFields[], scope: RowScope, build: Build): JsonExpression {
  const parts: { key: string; name: Sql; json: JsonExpression }[] = []
  for (const item of select) {
    const name = leafOf(item['name'])
    const as = leafOf(item['attribute_type'])?.value
    const property = name === null ? null : propertyOf(scope, name, build, 'read')
    if (property === null || property.name === null) continue
    const form = selectedForm(as)
    const json = withType(propertyResult(property, form), form, propertyFormType(form), build)
    parts.push({ key: property.name, name: build.nameLiteral(property.name), json })
  }
  const { shape } = objectJson(parts, call.range)
  return {
    sql: jsonObject(parts.map(({ name, json }) => ({ name, value: json.sql }))),
    shape,
    type: wrapType(call.type, {
      kind: 'object',
      fields: new Map(parts.map(({ key, json }) => [key, json.type])),
      range: call.range,
      table: null,
    }),
  }
}

const MAX_RELATED = 10_000
const DEFAULT_JOIN = {
  records: { foreign: 'id', own: 'id' },
  users: { foreign: 'id', own: 'user_id' },
} as const

function relatedJson(
  call: Selected,
  rows: 'records' | 'users',
  isList: boolean,
  scope: RowScope,
  build: Build,
): JsonExpression {
  const { args } = call
  const tableArgument = rows === 'records' ? (args['table'] ?? args['model_schema_name']) : undefined
  const tables = tablesNamed(tableArgument, build)
  const reading = rowQuery(
    { rows, filter: args['filter'], tables, hasUnknownTables: tableArgument !== undefined },
    build,
  )
  const ownProperty = leafOf(args['join_on_property']) ?? constantLeaf(DEFAULT_JOIN[rows].own)
  const foreign = leafOf(args['foreign_property']) ?? constantLeaf(DEFAULT_JOIN[rows].foreign)
  const joined = strictJoin(reading.scope, foreign, scope, ownProperty, { build, need: reading.need })
  // As on the platform, a single row is the last one of its sort.
  const order = orderSql(args['sort'], reading, build, !isList)
  const row = rowJson(call, reading.scope, build)
  reportRows(reading.scope, reading.need, call.range, build)
  const type = wrapType(call.type, row.type)
  if (joined === null) return { sql: NULL_JSON, shape: null, type }
  reading.conditions.unshift(joined.sql)
  if (isList)
    return { sql: listSql(reading, order, limitSql(args['limit'], build), row.sql), shape: listShape(row.shape), type }
  const orderAndLimit = joined.unique ? emptySql : sql` order by ${order} limit 1`
  return {
    sql: jsonRow(row.sql, sql`from ${relationSql(reading)}${whereSql(reading.conditions)}${orderAndLimit}`),
    shape: row.shape,
    type,
  }
}

/** The values of `customizable_type` in the records that belong to a row. */
const OWNER_TYPES = { records: 'Customization', users: 'User', profiles: 'UserProfile' } as const

/** Returns the JSON of the records that belong to a row. */
function ownedJson(call: Selected, scope: RowScope, build: Build): JsonExpression {
  const reading = rowQuery({ rows: 'records', filter: ownedFilter(call.args, build) }, build)
  const { alias } = reading.scope
  const order = orderSql(ownedSort(call.args), reading, build)
  const row = rowJson(call, reading.scope, build)
  reading.need.relations.push({
    key: columnKey('customizable_id'),
    to: scope.alias,
    toKey: columnKey('id'),
    as: 'shown',
  })
  reportRows(reading.scope, reading.need, call.range, build)
  reading.conditions.unshift(
    sql`${alias}.customizable_type = ${literal(OWNER_TYPES[scope.rows])}`,
    sql`${alias}.customizable_id = ${scope.alias}.id`,
  )
  return {
    sql: listSql(reading, order, limitSql(undefined, build), row.sql),
    shape: listShape(row.shape),
    type: wrapType(call.type, row.type),
  }
}

/** Returns the relation and its alias, such as `ingot.records r1`. */
export function relationSql({ scope }: RowQuery): Sql {
  return sql`${relationOf(scope.rows)} ${scope.alias}`
}

/**
 * Returns the SQL `from …` of the sorted rows. The limit is applied first, so that subselects read related rows only for the rows of the
 * page.
 */
export function pageSql(reading: RowQuery, order: Sql, limit: Sql): Sql {
  const { alias } = reading.scope
  return sql`from (select ${alias}.* from ${relationSql(reading)}${whereSql(reading.conditions)} order by ${order}${limit}) ${alias}`
}

/** Returns a JSON list of the sorted rows. */
export function listSql(reading: RowQuery, order: Sql, limit: Sql, row: Sql): Sql {
  return jsonList(row, pageSql(reading, order, limit))
}

function limitSql(limit: Input | undefined, build: Build): Sql {
  const leaf = leafOf(limit)
  if (leaf === null) return sql` limit ${integer(MAX_RELATED)}`
  return sql` limit ${integerSql(leaf, build, relatedLimit)}`
}

function relatedLimit(value: unknown): number {
  return typeof value === 'number' ? Math.max(0, Math.min(MAX_RELATED, Math.trunc(value))) : MAX_RELATED
}

/**
 * Returns the SQL of an integer: a literal when the document contains it, so that the planner knows the number of rows, and otherwise a
 * parameter.
 */
export function integerSql(leaf: Leaf, build: Build, clamp: (value: unknown) => number): Sql {
  return isConstant(leaf) ? integer(clamp(leaf.value)) : build.bind(leaf, 'bigint', clamp)
}

function profilesJson(call: Selected, isList: boolean, scope: RowScope, build: Build): JsonExpression {
  const type = leafOf(call.args['profile_type'])
  const knownType = type?.isKnown === true && typeof type.value === 'string' ? type.value : null
  if (knownType !== null && build.catalog.profileProperties(knownType) === null)
    reportProfileType(knownType, type?.range ?? null, build)
  const alias = build.newAlias('p')
  const profiles: RowScope = { rows: 'profiles', alias, tables: knownType === null ? null : [knownType] }
  const row = rowJson(call, profiles, build)
  const tie = { key: columnKey('user_id'), to: scope.alias, toKey: columnKey('id'), as: 'shown' } as const
  build.addRowAccess({
    ...READ_ACCESS,
    alias,
    rows: 'profiles',
    tables: profiles.tables,
    relations: [tie],
    range: call.range,
  })
  const conditions = [sql`${alias}.user_id = ${scope.alias}.id`, sql`${alias}.deleted_at is null`]
  if (knownType !== null) conditions.push(sql`${alias}.profile_type = ${build.nameLiteral(knownType)}`)
  const rows = sql`from ${scope.profiles ?? relationOf('profiles')} ${alias}${whereSql(conditions)} order by ${alias}.id`
  const resultType = wrapType(call.type, row.type)
  if (!isList) return { sql: jsonRow(row.sql, sql`${rows} limit 1`), shape: row.shape, type: resultType }
  const list = jsonList(row.sql, sql`from (select ${alias}.* ${rows}) ${alias}`)
  return { sql: list, shape: listShape(row.shape), type: resultType }
}
