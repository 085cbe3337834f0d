/** Analyses what a template uses, for tools: variables with their paths, called files, filters and tags, each with its places. */
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../core/tree/ast.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import type { Template } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'
import type { Language } from '../../language/language.ts'
import type { CheckKit, LoopLocal, PartialCall, QueryUse, ConditionalBranch } from '../../language/tags/tag.ts'

export interface TemplatePlace {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly column: number
}

/** A key, an index, or null for a computed segment. */
export type PathSegment = string | number | null

export interface VariableUse {
  readonly name: string
  /** In source syntax: `user.address['zip code'][0]`. A computed segment is `[…]`. */
  readonly path: string
  readonly segments: readonly PathSegment[]
  /** `data`: the caller must provide the variable. `template`: a tag of the template sets the variable. */
  readonly from: 'data' | 'template'
  readonly places: readonly TemplatePlace[]
}

export interface PartialUse {
  /** The name of the called file; null for a computed name. */
  readonly name: string | null
  readonly tag: string
  readonly places: readonly TemplatePlace[]
}

export interface NameUse {
  readonly name: string
  readonly places: readonly TemplatePlace[]
}

export interface Analysis {
  readonly variables: readonly VariableUse[]
  readonly partials: readonly PartialUse[]
  readonly filters: readonly NameUse[]
  readonly tags: readonly NameUse[]
}

export interface AnalysisInput {
  readonly dialect: Dialect
  readonly language: Language
  readonly placeOf: (span: Span) => TemplatePlace
}

/** Returns what a template uses, in source order. */
export function analyzeTemplate(template: Pick<Template, 'nodes'>, input: AnalysisInput): Analysis {
  const analyzer = new TemplateAnalyzer(input)
  analyzer.body(template.nodes)
  return analyzer.result()
}

/** Groups uses of one kind by a common key. */
class Uses<Use> {
  readonly #uses = new Map<string, { readonly use: Use; readonly places: TemplatePlace[] }>()

  add(key: string, use: Use, place: TemplatePlace): void {
    const known = this.#uses.get(key)
    if (known === undefined) this.#uses.set(key, { use, places: [place] })
    else if (!known.places.some(({ line, column }) => line === place.line && column === place.column))
      known.places.push(place)
  }

  get all(): readonly (Use & { readonly places: readonly TemplatePlace[] })[] {
    return [...this.#uses.values()].map(({ use, places }) => ({ ...use, places }))
  }
}

class TemplateAnalyzer implements CheckKit {
  readonly dialect: Dialect
  readonly #input: AnalysisInput
  readonly #variables = new Uses<Omit<VariableUse, 'places'>>()
  readonly #partials = new Uses<Omit<PartialUse, 'places'>>()
  readonly #filters = new Uses<Omit<NameUse, 'places'>>()
  readonly #tags = new Uses<Omit<NameUse, 'places'>>()
  /** Names set by earlier tags. */
  readonly #set = new Set<string>()
  readonly #loops: ReadonlySet<string>[] = []

  constructor(input: AnalysisInput) {
    this.dialect = input.dialect
    this.#input = input
  }

  result(): Analysis {
    return {
      variables: this.#variables.all,
      partials: this.#partials.all,
      filters: this.#filters.all,
      tags: this.#tags.all,
    }
  }

  // ---- nodes and values ---------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'output' && node.value !== null) this.condition(node.value)
      if (node.kind !== 'tag') continue
      const tag = this.#input.language.tags.get(node.name)
      if (tag === undefined) continue
      if (/^\w+$/.test(tag.name))
        this.#tags.add(node.name, { name: node.name }, this.#input.placeOf(node.writtenName.span))
      tag.check(node, this)
    }
  }

  read(expression: Expression): Type {
    this.condition(expression)
    return UNKNOWN
  }

  condition(expression: Expression): void {
    switch (expression.kind) {
      case 'literal':
        return
      case 'lookup':
        if (expression.name !== null) this.#variable(expression.name, expression.path)
        return this.#indexes(expression.path)
      case 'range':
        this.condition(expression.from)
        return this.condition(expression.to)
      case 'interpolation':
        for (const part of expression.parts) if (typeof part !== 'string') this.condition(part)
        return
      case 'hash':
        for (const { key, value } of expression.entries) {
          if (key.kind === 'computed') this.condition(key.value)
          this.condition(value)
        }
        return
      case 'array':
        for (const item of expression.items) this.condition(item)
        return
      case 'comparison':
      case 'logical':
        this.condition(expression.left)
        return this.condition(expression.right)
      case 'filtered':
        this.condition(expression.input)
        return this.#chain(expression.filters)
    }
  }

  #variable({ name, span }: NameNode, path: readonly Accessor[]): void {
    const segments = path.map(segmentOf)
    const variablePath = name + segments.map(segmentText).join('')
    const isTemplateVariable = this.#set.has(name) || this.#loops.some((names) => names.has(name))
    const from = isTemplateVariable ? 'template' : 'data'
    this.#variables.add(
      `${from} ${variablePath}`,
      { name, path: variablePath, segments, from },
      this.#input.placeOf(span),
    )
  }

  #indexes(path: readonly Accessor[]): void {
    for (const accessor of path) if (accessor.kind === 'index') this.condition(accessor.value)
  }

  #chain(filters: readonly FilterCall[]): void {
    for (const { name, positional, named } of filters) {
      this.#filters.add(name.name, { name: name.name }, this.#input.placeOf(name.span))
      for (const value of positional) this.condition(value)
      for (const { value } of named) this.condition(value)
    }
  }

  // ---- flow and writes ------------------------------------------------------------------------------------------------

  branches(ways: readonly ConditionalBranch[]): void {
    for (const { condition, run } of ways) {
      if (condition !== null) this.condition(condition)
      run()
    }
  }

  loop(locals: readonly LoopLocal[], body: () => void): void {
    this.#loops.push(new Set(locals.map(({ name }) => name)))
    body()
    this.#loops.pop()
  }

  detached(_kind: string, body: () => void): void {
    body()
  }

  assign({ name }: NameNode): void {
    this.#set.add(name)
  }

  write({ name, path }: WriteTarget, _value: Type, push: boolean): void {
    if (path.length === 0 && !push) this.#set.add(name.name)
    else this.#variable(name, path)
    this.#indexes(path)
  }

  counter({ name }: NameNode): void {
    this.#set.add(name)
  }

  // ---- calls ----------------------------------------------------------------------------------------------------------

  call({ kind, name, arguments: args, bindingClause, span }: PartialCall, node: TagNode): Type {
    const literal = name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
    if (literal === null) this.condition(name)
    this.#partials.add(`${node.name} ${kind} ${literal}`, { name: literal, tag: node.name }, this.#input.placeOf(span))
    this.job(args)
    if (bindingClause !== null) this.condition(bindingClause.value)
    return UNKNOWN
  }

  job(args: readonly NamedArgument[]): void {
    for (const { value } of args) this.condition(value)
  }

  query({ name, body, arguments: args, spread, filters }: QueryUse): Type {
    if (name !== null) this.condition(name)
    if (spread !== null) this.condition(spread)
    this.job(args)
    this.body(body)
    this.#chain(filters)
    return UNKNOWN
  }

  // ---- methods that only the checker needs ----------------------------------------------------------------------------

  element(): Type {
    return UNKNOWN
  }

  register(): void {}
  halt(): void {}
  asyncPort(): void {}
  syncPort(): void {}
  note(): void {}
  report(): void {}

  source(): string {
    return ''
  }
}

function segmentOf(accessor: Accessor): PathSegment {
  if (accessor.kind === 'key') return accessor.name
  const { value } = accessor
  const literal = value.kind === 'filtered' && value.filters.length === 0 ? value.input : value
  if (literal.kind !== 'literal') return null
  const { value: key } = literal
  if (key.type === 'string') return key.value
  return key.type === 'integer' && typeof key.value === 'number' ? key.value : null
}

function segmentText(segment: PathSegment): string {
  if (segment === null) return '[…]'
  if (typeof segment === 'number') return `[${segment}]`
  return /^[A-Za-z_][\w-]*\??$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`
}
