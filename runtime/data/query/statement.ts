/**
 * Converts a plan and its variables to statements. A statement depends on which variables have values, and on the few values that decisions
 * were based on. Together they form the shape, which is the key of the statement cache.
 */
import { getNullableType, type GraphQLInputType, isInputObjectType, isListType } from 'graphql'
import { type Sql, sql, toStatement } from '../sql/sql.ts'
import { boundValues, type CollectingBuild, createBuild, sourceValue } from './build.ts'
import {
  type BuildOptions,
  type Catalog,
  type RecordDecision,
  type ChangeField,
  type EffectField,
  type FormRoute,
  type JsonExpression,
  type MutationField,
  type SourceRange,
  type Selected,
  type SessionField,
  type Shape,
  type SiteField,
  type Source,
  type Statement,
  isShort,
  Leaf,
} from './model.ts'
import { limitDepth, type Plan } from './plan.ts'
import { jsonText, objectJson } from './rows/json.ts'
import { reportUnreadable } from './remote/read-field.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'
import { namesForm, formRowJson } from './writes/through-form.ts'
import { isObject } from '../values/json-data.ts'
import { fieldsOf } from './rows/input.ts'

/** A root field of an operation. It is cached for long, so it contains only what executions need. */
export type Root = { readonly key: string; readonly range: SourceRange } & (
  | { readonly kind: 'query' | 'typename' | 'introspection' }
  | { readonly kind: 'site'; readonly selected: Selected; readonly field: SiteField }
  | { readonly kind: 'remote'; readonly selected: Selected }
  | {
      readonly kind: 'mutation'
      /** The arguments that `missing` is called with. */
      readonly args: Selected['args']
      readonly field: MutationField
      readonly statement: Statement
    }
  | {
      readonly kind: 'form'
      readonly args: Selected['args']
      /** How the call is converted to a submission; null for `form_submit`. */
      readonly route: FormRoute | null
      /** The statement that reads what the form has written. */
      readonly statement: Statement
    }
  | {
      readonly kind: 'session'
      readonly args: Selected['args']
      readonly field: SessionField
      /** The statement that reads the value; null when `perform` returns the value. */
      readonly statement: Statement | null
    }
  | { readonly kind: 'effect'; readonly selected: Selected; readonly field: EffectField }
  | { readonly kind: 'change'; readonly selected: Selected; readonly field: ChangeField }
)

/** The statements for one shape of variables. */
export interface PreparedStatements {
  readonly roots: readonly Root[]
  /** The statement of all root fields of kind `query`; null when there are none. */
  readonly query: Statement | null
  /** The sources of the argument `options.timeout` of the root fields. */
  readonly timeouts: readonly Source[]
  /** The sources of the argument `options.read_replica`. Null unless all root fields that read rows have this argument. */
  readonly replicas: readonly Source[] | null
  /** Whether results of statements may contain `RemotePart`s. */
  readonly hasRemote: boolean
}

interface CachedStatements {
  /** The values on which decisions depended, or the results of `read` for them, as JSON. */
  readonly guards: readonly {
    readonly source: Source
    readonly read: (value: unknown) => unknown
    readonly json: string | undefined
  }[]
  readonly prepared: PreparedStatements
}

/** Maximum number of cached statements of a plan; the least recently used are removed. */
const MAX_CACHED = 100
/** Maximum length of a shape or a deciding value. Longer ones are unlikely to recur, and would fill the memory. */
const MAX_LENGTH = 20_000

interface StatementCache {
  readonly catalog: Catalog
  readonly requireTable: boolean
  readonly byShape: Map<string, CachedStatements[]>
  count: number
}

/**
 * The cached statements of a plan. Only results for templates need marked floats, so there are two caches. A document that is used in both
 * ways is then not planned again whenever the use changes.
 */
const caches = { floats: new WeakMap<Plan, StatementCache>(), plain: new WeakMap<Plan, StatementCache>() }

/**
 * Returns the statements for these variables. They come from the cache when the shape is known.
 * @throws QueryError
 */
export function prepare(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  catalog: Catalog,
  options: BuildOptions,
): PreparedStatements {
  const cache = cacheOf(plan, catalog, options)
  const shape = shapeOfVariables(plan, variables)
  const candidates = cache.byShape.get(shape) ?? []
  const at = candidates.findIndex(({ guards }) =>
    guards.every(({ source, read, json }) => JSON.stringify(read(sourceValue(source, variables))) === json),
  )
  const cachedStatements = candidates[at]
  if (cachedStatements !== undefined) {
    // While the cache is not half full, entries need not be moved to its end.
    if (cache.count >= MAX_CACHED / 2) {
      if (at < candidates.length - 1) candidates.push(...candidates.splice(at, 1))
      cache.byShape.delete(shape)
      cache.byShape.set(shape, candidates)
    }
    return cachedStatements.prepared
  }
  const guards = new Map<string, CachedStatements['guards'][number]>()
  const recordDecision: RecordDecision = (source, read) => {
    const json = JSON.stringify(read(sourceValue(source, variables)))
    guards.set(`${read.name} ${JSON.stringify(source)}`, { source, read, json })
  }
  const prepared = limitDepth(() => writeStatements(plan, variables, catalog, options, recordDecision))
  const newEntry: CachedStatements = { guards: [...guards.values()], prepared }
  if (shape.length + newEntry.guards.reduce((sum, { json }) => sum + (json?.length ?? 0), 0) <= MAX_LENGTH)
    addToCache(cache, shape, newEntry)
  return prepared
}

function addToCache(cache: StatementCache, shape: string, entry: CachedStatements): void {
  if (cache.count >= MAX_CACHED) {
    const [[oldest, of] = ['', []]] = cache.byShape
    of.shift()
    if (of.length === 0) cache.byShape.delete(oldest)
    cache.count--
  }
  const entriesOfShape = cache.byShape.get(shape) ?? []
  entriesOfShape.push(entry)
  cache.byShape.delete(shape)
  cache.byShape.set(shape, entriesOfShape)
  cache.count++
}

function cacheOf(plan: Plan, catalog: Catalog, { requireTableForDelete, floats }: BuildOptions): StatementCache {
  const planCache = caches[floats === true ? 'floats' : 'plain']
  const existingCache = planCache.get(plan)
  if (
    existingCache !== undefined &&
    existingCache.catalog === catalog &&
    existingCache.requireTable === requireTableForDelete
  )
    return existingCache
  const newCache: StatementCache = { catalog, requireTable: requireTableForDelete, byShape: new Map(), count: 0 }
  planCache.set(plan, newCache)
  return newCache
}

/** Returns the part of the shape that the variables alone determine: which of them have values. */
function shapeOfVariables(plan: Plan, variables: Readonly<Record<string, unknown>>): string {
  return plan.declaredVariables
    .map(({ name, type }) => {
      if (!Object.hasOwn(variables, name)) return '-'
      if (variables[name] === null) return '0'
      return plan.singleValueVariables.has(name) ? shapeOfWhole(variables[name]) : shapeOfValue(variables[name], type)
    })
    .join('')
}

/** Returns the shape of a value that is passed as a single parameter. */
function shapeOfWhole(value: unknown): string {
  return value === null || value === undefined
    ? '-'
    : Array.isArray(value) && value.length === 0
      ? '[]'
      : isShort(value)
        ? '+'
        : '*'
}

function shapeOfValue(value: unknown, inputType: GraphQLInputType): string {
  if (value === null || value === undefined) return '-'
  const type = getNullableType(inputType)
  if (isListType(type)) {
    if (!Array.isArray(value)) return shapeOfValue(value, type.ofType)
    if (value.length === 0) return '[]'
    const itemType = getNullableType(type.ofType)
    return isInputObjectType(itemType) || isListType(itemType)
      ? `[${value.map((item) => shapeOfValue(item, itemType)).join(',')}]`
      : isShort(value)
        ? '[+]'
        : '[*]'
  }
  if (!isInputObjectType(type) || !isObject(value)) return shapeOfWhole(value)
  const fields = type.getFields()
  const keys = Object.keys(value).sort()
  const parts = keys.map((key) => {
    const field = fields[key]
    return field === undefined ? '' : `${key}${shapeOfValue(value[key], field.type)}`
  })
  return `{${parts.join(' ')}}`
}

function writeStatements(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  catalog: Catalog,
  options: BuildOptions,
  recordDecision: RecordDecision,
): PreparedStatements {
  const context = { schema: schema(), fragments: plan.fragments, variables, isKnown: true, recordDecision }
  const selected = select(plan.node.selectionSet, plan.root, context)
  const roots = selected.map((each): Root => rootOf(plan, each, catalog, options))
  const rows = selected.filter((_each, at) => roots[at]?.kind === 'query')
  const replicas = rows.flatMap((each) => optionOf(each, 'read_replica'))
  const query = rows.length === 0 ? null : combineQueries(rows, catalog, options)
  return {
    roots,
    query,
    hasRemote: query?.hasRemote === true || roots.some((root) => 'statement' in root && root.statement?.hasRemote),
    timeouts: selected.flatMap((each) => optionOf(each, 'timeout')),
    replicas: rows.length > 0 && replicas.length === rows.length ? replicas : null,
  }
}

function rootOf(plan: Plan, selected: Selected, catalog: Catalog, options: BuildOptions): Root {
  const { responseKey, name, range, args } = selected
  if (name.startsWith('__'))
    return { kind: name === '__typename' ? 'typename' : 'introspection', key: responseKey, range }
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  if (field === null) throw new Error(`The schema has a field \`${name}\` without an implementation.`)
  if (field.kind === 'query') return { kind: 'query', key: responseKey, range }
  if (field.kind === 'site') return { kind: 'site', key: responseKey, range, selected, field }
  if (field.kind === 'effect') return { kind: 'effect', key: responseKey, range, selected, field }
  if (field.kind === 'change') return { kind: 'change', key: responseKey, range, selected, field }
  const build = createBuild(catalog, options, false)
  if (field.kind === 'remote') {
    reportUnreadable(selected, build)
    return { kind: 'remote', key: responseKey, range, selected }
  }
  const reading = (json: JsonExpression): Statement => statementOf(selectAsData(json), json.shape, build)
  if (field.kind === 'session') {
    const json = field.build?.(selected, build)
    return {
      kind: 'session',
      key: responseKey,
      range,
      args,
      field,
      statement: json === undefined ? null : reading(json),
    }
  }
  if (field.kind === 'submit')
    return {
      kind: 'form',
      key: responseKey,
      range,
      args,
      route: null,
      statement: reading(field.build(selected, build)),
    }
  if (field.form !== undefined && namesForm(selected)) {
    const statement = reading(formRowJson(selected, field.form, build))
    return { kind: 'form', key: responseKey, range, args, route: field.form, statement }
  }
  const writeExpression = field.build(selected, build)
  const statement = statementOf(writeExpression.sql, writeExpression.shape, build)
  return { kind: 'mutation', key: responseKey, range, args: field.missing === undefined ? {} : args, field, statement }
}

/** Combines query fields into one statement. The result of each field is under its key. */
function combineQueries(rows: readonly Selected[], catalog: Catalog, options: BuildOptions): Statement {
  const build = createBuild(catalog, options, false)
  const parts = rows.map((selected) => {
    const field = queryField(selected.name)
    if (field?.kind !== 'query') throw new Error(`\`${selected.name}\` reads no rows.`)
    return { key: selected.responseKey, json: field.build(selected, build) }
  })
  const [only, other] = parts
  if (only?.json.rows !== undefined && other === undefined) {
    const { columns, shape, key, rowSelect, sql: write } = only.json.rows
    const rows = { columns, shape, key, root: only.key, rowSelect: toStatement(rowSelect) }
    return { ...statementOf(write(build), null, build), rows }
  }
  const object = objectJson(parts, null)
  return statementOf(selectAsData(object), object.shape, build)
}

function selectAsData(json: JsonExpression): Sql {
  return sql`select ${jsonText(json.sql)} as data`
}

function statementOf(statementSql: Sql, shape: Shape | null, build: CollectingBuild): Statement {
  const statement = toStatement(statementSql)
  return {
    sql: statement,
    values: (variables, viewer, host) => boundValues(statement, variables, viewer, host),
    shape,
    hasDeferred: build.hasDeferred,
    hasRemote: build.hasRemote,
    rows: null,
  }
}

function optionOf(selected: Selected, name: string): readonly Source[] {
  const input = fieldsOf(selected.args['options'])?.[name]
  return input instanceof Leaf ? [input.source] : []
}
