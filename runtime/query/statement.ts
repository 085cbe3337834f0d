/**
 * A plan with its variables → statements. What is written depends on a few things only: which values are there, and those that
 * something was decided by. Both make the shape, under which the statement is kept.
 */
import { getNullableType, type GraphQLInputType, isInputObjectType, isListType } from 'graphql'
import { createBuild, valueOf } from './build.ts'
import type { BuildOptions, Catalog, MutationField, Selected, SiteField, Source, Statement } from './model.ts'
import type { Plan } from './plan.ts'
import { objectJson } from './rows/json.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'

/** A root field of an operation, in the order of the document. */
export type Root =
  /** Part of the one statement of a query. */
  | { readonly kind: 'query'; readonly key: string; readonly selected: Selected }
  | { readonly kind: 'site'; readonly key: string; readonly selected: Selected; readonly field: SiteField }
  | {
      readonly kind: 'mutation'
      readonly key: string
      readonly selected: Selected
      readonly field: MutationField
      readonly statement: Statement
    }
  | { readonly kind: 'typename' | 'introspection'; readonly key: string; readonly selected: Selected }

/** What one shape of variables runs. */
export interface Prepared {
  readonly roots: readonly Root[]
  /** All roots of kind `query`; null without any. */
  readonly query: Statement | null
  /** Where `options.timeout` and `options.read_replica` of the roots come from. */
  readonly timeouts: readonly Source[]
  readonly replicas: readonly Source[]
}

interface Kept {
  /** Values that decided something, as JSON. */
  readonly guards: readonly { readonly source: Source; readonly json: string | undefined }[]
  readonly prepared: Prepared
}

/** Statements of one plan: the oldest go first. */
const MOST = 100

interface Cache {
  readonly catalog: Catalog
  readonly requireTable: boolean
  readonly kept: Map<string, Kept[]>
  count: number
}

const caches = new WeakMap<Plan, Cache>()

/** The statements for these variables: kept ones where the shape is known. @throws QueryError */
export function prepare(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  catalog: Catalog,
  options: BuildOptions,
): Prepared {
  const cache = cacheOf(plan, catalog, options)
  const shape = shapeOf(plan, variables)
  const known = cache.kept
    .get(shape)
    ?.find(({ guards }) => guards.every(({ source, json }) => JSON.stringify(valueOf(source, variables)) === json))
  if (known !== undefined) return known.prepared
  const guards = new Map<string, Kept['guards'][number]>()
  const decided = (source: Source, value: unknown): void => {
    guards.set(JSON.stringify(source), { source, json: JSON.stringify(value) })
  }
  const prepared = write(plan, variables, catalog, options, decided)
  // Arguments of a site field are values, not sources.
  if (prepared.roots.some(({ kind }) => kind === 'site' || kind === 'introspection')) return prepared
  if (cache.count >= MOST) {
    const [oldest] = cache.kept.keys()
    cache.count -= cache.kept.get(oldest!)!.length
    cache.kept.delete(oldest!)
  }
  const kept: Kept = { guards: [...guards.values()], prepared }
  const same = cache.kept.get(shape)
  if (same === undefined) cache.kept.set(shape, [kept])
  else same.push(kept)
  cache.count++
  return prepared
}

function cacheOf(plan: Plan, catalog: Catalog, { requireTableForDelete }: BuildOptions): Cache {
  const known = caches.get(plan)
  if (known !== undefined && known.catalog === catalog && known.requireTable === requireTableForDelete) return known
  const fresh: Cache = { catalog, requireTable: requireTableForDelete, kept: new Map(), count: 0 }
  caches.set(plan, fresh)
  return fresh
}

/** Which values are there: the part of the shape that needs no statement to be known. */
export function shapeOf(plan: Plan, variables: Readonly<Record<string, unknown>>): string {
  return plan.declared
    .map(({ name, type }) => {
      if (!Object.hasOwn(variables, name)) return '-'
      return plan.whole.has(name) ? '+' : presence(variables[name], type)
    })
    .join('')
}

function presence(value: unknown, given: GraphQLInputType): string {
  if (value === null || value === undefined) return '-'
  const type = getNullableType(given)
  if (isListType(type)) {
    if (!Array.isArray(value)) return presence(value, type.ofType)
    if (value.length === 0) return '[]'
    const inner = getNullableType(type.ofType)
    return isInputObjectType(inner) || isListType(inner)
      ? `[${value.map((item) => presence(item, inner)).join(',')}]`
      : '[+]'
  }
  if (!isInputObjectType(type) || typeof value !== 'object') return '+'
  const fields = type.getFields()
  const keys = Object.keys(value).sort()
  const parts = keys.map((key) => {
    const field = fields[key]
    return field === undefined ? '' : `${key}${presence((value as Readonly<Record<string, unknown>>)[key], field.type)}`
  })
  return `{${parts.join(' ')}}`
}

function write(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
  catalog: Catalog,
  options: BuildOptions,
  decided: (source: Source, value: unknown) => void,
): Prepared {
  const context = { schema: schema(), fragments: plan.fragments, variables, known: true, decided }
  const selected = select([plan.node.selectionSet], plan.root, context)
  const roots = selected.map((each): Root => rootOf(plan, each, catalog, options))
  const rows = roots.filter(({ kind }) => kind === 'query').map((root) => root.selected)
  return {
    roots,
    query: rows.length === 0 ? null : together(rows, catalog, options),
    timeouts: rows
      .concat(roots.filter(({ kind }) => kind === 'mutation').map((root) => root.selected))
      .flatMap((each) => optionOf(each, 'timeout')),
    replicas: rows.flatMap((each) => optionOf(each, 'read_replica')),
  }
}

function rootOf(plan: Plan, selected: Selected, catalog: Catalog, options: BuildOptions): Root {
  const { key, name } = selected
  if (name === '__typename') return { kind: 'typename', key, selected }
  if (name.startsWith('__')) return { kind: 'introspection', key, selected }
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  if (field === null) throw new Error(`The schema has a field \`${name}\` that no file serves.`)
  if (field.kind === 'query') return { kind: 'query', key, selected }
  if (field.kind === 'site') return { kind: 'site', key, selected, field }
  const build = createBuild(catalog, options, false)
  const { sql, shape } = field.build(selected, build)
  return { kind: 'mutation', key, selected, field, statement: { text: sql, values: build.values, shape } }
}

/** All of them in one statement, each under its key. */
function together(rows: readonly Selected[], catalog: Catalog, options: BuildOptions): Statement {
  const build = createBuild(catalog, options, false)
  const parts = rows.map((selected) => {
    const field = queryField(selected.name)
    if (field?.kind !== 'query') throw new Error(`\`${selected.name}\` reads no rows.`)
    return { key: selected.key, json: field.build(selected, build) }
  })
  const { sql, shape } = objectJson(parts, null)
  return { text: `select ${sql} as data`, values: build.values, shape }
}

function optionOf(selected: Selected, name: string): readonly Source[] {
  const options = selected.args['options']
  if (options === null || options === undefined || Array.isArray(options) || !(name in options)) return []
  const input = (options as Readonly<Record<string, unknown>>)[name]
  return typeof input === 'object' && input !== null && 'source' in input ? [(input as { source: Source }).source] : []
}
