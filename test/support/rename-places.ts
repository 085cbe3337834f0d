/** Finds all names in a site that belong to queries, and all names in templates that belong to query results. */
import { parse, visit } from 'graphql'
import type { Expression, NamedArgument, Node, TagNode } from '../../compiler/core/tree/ast.ts'
import type { Site } from '../../compiler/core/model/site.ts'
import type { Unit } from '../../compiler/core/model/unit.ts'
import { asMarkupNode } from '../../compiler/core/model/markup.ts'
import { isRecord } from '../../compiler/core/source/records.ts'
import { for_ } from '../../compiler/language/tags/for.ts'
import { graphql } from '../../compiler/language/tags/graphql.ts'
import { isNodeOf } from '../../compiler/language/tags/tag.ts'

export type Sort =
  | 'field'
  | 'alias'
  | 'variable'
  | 'argument'
  | 'input field'
  | 'table'
  | 'property'
  | 'yaml'
  | 'query name'
  | 'result field'
  | 'filter argument'

export interface NamePlace<Kind extends string = Sort> {
  readonly sort: Kind
  readonly file: string
  /** Offsets of the name itself, without quotes. */
  readonly start: number
  readonly end: number
}

/** Returns all places, sorted by file and position. */
export function namePlaces(site: Site): readonly NamePlace[] {
  const found = new Map<string, NamePlace>()
  const add = (sort: Sort, file: string, start: number, end: number): void => {
    if (end > start) found.set(`${file} ${start}`, { sort, file, start, end })
  }
  const queries = [...site.graphql.values()]
  for (const unit of queries) inDocument(unit, add)
  inSchema(site, mentionedStrings(queries), add)
  inTemplates(site, add)
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
}

type Add = (sort: Sort, file: string, start: number, end: number) => void

// ---- documents ------------------------------------------------------------------------------------------------------------

/** Arguments and input fields whose text names a table, and those whose text names a property. */
const TABLES: ReadonlySet<string> = new Set(['table'])
const PROPERTIES: ReadonlySet<string> = new Set(['name', 'join_on_property', 'foreign_property'])

/** Columns that every record has. They are not properties. */
const COLUMNS: ReadonlySet<string> = new Set(['id', 'user_id', 'external_id'])

function inDocument(unit: Unit, add: Add): void {
  const { path, text } = unit.file
  const place = (sort: Sort, loc: { readonly start: number; readonly end: number } | undefined, quotes = 0): void => {
    if (loc !== undefined) add(sort, path, loc.start + quotes, loc.end - quotes)
  }
  visit(parse(text), {
    Field(node) {
      place('field', node.name.loc)
      place('alias', node.alias?.loc)
    },
    Variable: (node) => place('variable', node.name.loc),
    Argument: (node) => place('argument', node.name.loc),
    ObjectField: (node) => place('input field', node.name.loc),
    StringValue(node, _key, parent, _path, ancestors) {
      const sort = nameKindOf([...ancestors, parent])
      if (sort === 'property' && COLUMNS.has(node.value)) return
      if (sort !== null) place(sort, node.loc, 1)
    },
  })
}

/** Returns the kind of name in a text, from the enclosing names: `table: "x"`, `table: { value: "x" }`, `name: "x"`. */
function nameKindOf(ancestors: readonly unknown[]): 'table' | 'property' | null {
  const names = ancestors.flatMap((each) => {
    if (typeof each !== 'object' || each === null || !('kind' in each)) return []
    const isNamed = each.kind === 'Argument' || each.kind === 'ObjectField'
    const name = isNamed && 'name' in each && isRecord(each.name) ? each.name['value'] : undefined
    return typeof name === 'string' ? [name] : []
  })
  const last = names.at(-1) ?? ''
  if (TABLES.has(last) || (last === 'value' && TABLES.has(names.at(-2) ?? ''))) return 'table'
  return PROPERTIES.has(last) ? 'property' : null
}

// ---- tables ---------------------------------------------------------------------------------------------------------------

/** Returns the table and property names in queries. */
function mentionedStrings(queries: readonly Unit[]): {
  readonly tables: Set<string>
  readonly properties: Set<string>
} {
  const tables = new Set<string>()
  const properties = new Set<string>()
  for (const unit of queries) {
    inDocument(unit, (sort, _file, start, end) => {
      if (sort === 'table') tables.add(unit.file.text.slice(start, end))
      if (sort === 'property') properties.add(unit.file.text.slice(start, end))
    })
  }
  return { tables, properties }
}

function inSchema(site: Site, mentioned: ReturnType<typeof mentionedStrings>, add: Add): void {
  for (const { file } of site.units) {
    const table = /(?:^|\/)schema\/(\w+)\.yml$/.exec(file.path)?.[1]
    const users = file.path === 'app/user.yml'
    if (!users && (table === undefined || !mentioned.tables.has(table))) continue
    for (const found of file.text.matchAll(/^(name: | {2}- name: )(\w+)$/gm)) {
      const [, before = '', name = ''] = found
      if (before.startsWith(' ') && !mentioned.properties.has(name)) continue
      add('yaml', file.path, found.index + before.length, found.index + before.length + name.length)
    }
  }
}

// ---- templates --------------------------------------------------------------------------------------------------------------

/** Filters whose named arguments or first text are fields of the items. */
const BY_FIELD: ReadonlySet<string> = new Set([
  ...['array_detect', 'array_select', 'array_reject', 'array_find_by', 'array_sort_by', 'array_group_by', 'array_map'],
  ...['map', 'where', 'sort', 'find', 'reject', 'uniq', 'sum', 'dig', 'hash_fetch'],
])

/** Built-in properties of lists and texts. */
const BUILT_IN: ReadonlySet<string> = new Set(['first', 'last', 'size'])

interface Mark {
  readonly name: { readonly name: string }
  readonly path: readonly unknown[]
}

function inTemplates(site: Site, add: Add): void {
  const names = trackVariables(site, true, () => [])
  for (const unit of site.units) addTemplatePlaces(unit, names(unit.file.path), add)
}

/**
 * Returns a function that returns the variables of a file that contain tracked values: query results if `queries` is true, and the
 * values of the names that `given` returns. `return` is the file's result.
 */
export function trackVariables(
  site: Site,
  queries: boolean,
  given: (unit: Unit) => readonly string[],
): (file: string) => Set<string> {
  const holding = new Map<string, Set<string>>(site.units.map((unit) => [unit.file.path, new Set(given(unit))]))
  const names = (file: string): Set<string> => {
    let set = holding.get(file)
    if (set === undefined) holding.set(file, (set = new Set()))
    return set
  }
  for (let before = -1, size = 0; before !== size; ) {
    before = size
    for (const unit of site.units) trackInTemplate(site, unit, names, queries)
    size = [...holding.values()].reduce((sum, set) => sum + set.size, 0)
  }
  return names
}

/** Records the variables with tracked values, in a template and in the templates that it calls. */
function trackInTemplate(site: Site, unit: Unit, names: (file: string) => Set<string>, queries: boolean): void {
  const own = names(unit.file.path)
  const holds = (expression: unknown): boolean => readsNames(expression, own)
  visitTags(unit.template?.nodes ?? [], (node) => {
    const markup = (node.markup ?? {}) as Readonly<Record<string, unknown>>
    const target = markup['target'] as (Mark & { readonly name: unknown }) | undefined
    const written = typeof target?.name === 'string' ? target.name : target?.name.name
    if (queries && node.name === 'graphql' && written !== undefined) own.add(written)
    if ((node.name === 'assign' || node.name === 'hash_assign') && written !== undefined && holds(markup['value']))
      own.add(written)
    if (node.name === 'return' && holds(markup['value'])) own.add('return')
    if (isNodeOf(for_, node, 'variable', 'list') && holds(node.markup.list)) own.add(node.markup.variable.name)
    if (node.name !== 'render' && node.name !== 'include' && node.name !== 'function') return
    const called = site.partials.get(literalText(markup['name'] as Expression))
    if (called === undefined) return
    const theirs = names(called.file.path)
    for (const { name, value } of markup['arguments'] as readonly NamedArgument[])
      if (holds(value)) theirs.add(name.name)
    const bound = markup['bound'] as
      | { readonly value: unknown; readonly as: { readonly name: string } | null }
      | null
      | undefined
    if (bound != null && holds(bound.value))
      theirs.add(bound.as?.name ?? literalText(markup['name'] as Expression).replace(/^.*\//, ''))
    if (node.name === 'function' && theirs.has('return') && written !== undefined) own.add(written)
  })
}

/** Adds the fields of tracked values that a template reads, and the names and arguments of its queries. */
function addTemplatePlaces(unit: Unit, own: ReadonlySet<string>, add: Add): void {
  const { path, text } = unit.file
  const nodes = unit.template?.nodes ?? []
  visitTags(nodes, (node) => {
    if (!isNodeOf(graphql, node, 'query', 'arguments')) return
    const { query, arguments: args } = node.markup
    if (query?.kind === 'literal') add('query name', path, query.span.start + 1, query.span.end - 1)
    for (const { name } of args) if (name.name !== 'args') add('argument', path, name.span.start, name.span.end)
  })
  visitObjects(nodes, (value) => {
    for (const { start, end } of fieldPlaces(value, own, text)) add('result field', path, start, end)
    const node = asMarkupNode(value)
    if (node?.kind === 'filtered' && readsNames(node.input, own)) {
      for (const { name, positional, named } of node.filters) {
        if (!BY_FIELD.has(name.name)) continue
        for (const each of named) add('filter argument', path, each.name.span.start, each.name.span.end)
        const [first] = positional
        if (first?.kind === 'literal' && first.value.type === 'string')
          add('filter argument', path, first.span.start + 1, first.span.end - 1)
      }
    }
  })
}

/** Returns the places of the fields in paths of tracked variables: of `b` and `c` in `a.b.c`. */
export function fieldPlaces(
  value: Readonly<Record<string, unknown>>,
  own: ReadonlySet<string>,
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  const node = asMarkupNode(value)
  if (node?.kind !== 'lookup') return []
  const { name, path } = node
  if (name === null || !own.has(name.name)) return []
  return path.flatMap((part) => {
    if (part.kind !== 'key' || BUILT_IN.has(part.name)) return []
    // The span of a part may begin with its dot.
    const start = text.indexOf(part.name, part.span.start)
    return { start, end: start + part.name.length }
  })
}

export function literalText(expression: Expression): string {
  return expression.kind === 'literal' && expression.value.type === 'string' ? expression.value.value : ''
}

/** Returns true if an expression reads one of these names. */
function readsNames(expression: unknown, names: ReadonlySet<string>): boolean {
  let found = false
  visitObjects(expression, (value) => {
    const node = asMarkupNode(value)
    if (node?.kind === 'lookup') found ||= names.has(node.name?.name ?? '')
  })
  return found
}

export function visitTags(nodes: readonly Node[], use: (node: TagNode) => void): void {
  visitObjects(nodes, (value) => {
    if (value['kind'] === 'tag') use(value as unknown as TagNode)
  })
}

export function visitObjects(value: unknown, use: (value: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (isRecord(value)) use(value)
  for (const inner of Object.values(value)) visitObjects(inner, use)
}
