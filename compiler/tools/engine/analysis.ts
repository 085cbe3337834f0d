/** Analyses what a template uses, for tools: variables with their paths, called files, filters and tags, each with its places. */
import {
  type Accessor,
  type Expression,
  type FilterCall,
  type NameNode,
  type TagNode,
  type WriteTarget,
  stringOf,
} from '../../core/tree/ast.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { Template } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'
import type { Language } from '../../language/language.ts'
import type { AnyTag, LoopLocal, PartialCall } from '../../language/tags/tag.ts'
import { Engine, type LoopEffects, type Place } from '../../phases/analyze/engine.ts'
import { Visitor } from '../../phases/analyze/visitor.ts'

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
  const engine = new Engine(input.language.tags, (place: Place<null>) => new TemplateAnalyzer(input, place))
  engine.body(template.nodes)
  return engine.domain.result()
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

class TemplateAnalyzer extends Visitor {
  readonly #input: AnalysisInput
  readonly #variables = new Uses<Omit<VariableUse, 'places'>>()
  readonly #partials = new Uses<Omit<PartialUse, 'places'>>()
  readonly #filters = new Uses<Omit<NameUse, 'places'>>()
  readonly #tags = new Uses<Omit<NameUse, 'places'>>()
  /** Names set by earlier tags. */
  readonly #set = new Set<string>()
  readonly #loops: ReadonlySet<string>[] = []

  constructor(input: AnalysisInput, place: Place<null>) {
    super(input.dialect, place)
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

  override tag(node: TagNode, tag: AnyTag, check: () => void): void {
    if (/^\w+$/.test(tag.name))
      this.#tags.add(node.name, { name: node.name }, this.#input.placeOf(node.writtenName.span))
    check()
  }

  override visit(expression: Expression): void {
    if (expression.kind === 'lookup' && expression.name !== null) this.#variable(expression.name, expression.path)
    super.visit(expression)
  }

  override visitFilters(filters: readonly FilterCall[]): void {
    for (const filter of filters) {
      const { name, span } = filter.name
      this.#filters.add(name, { name }, this.#input.placeOf(span))
      super.visitFilters([filter])
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

  override loop(locals: readonly LoopLocal[]): LoopEffects<null> {
    const names = new Set(locals.map(({ name }) => name))
    return {
      ...super.loop(locals),
      enter: () => void this.#loops.push(names),
      leave: () => void this.#loops.pop(),
    }
  }

  override assign({ name }: NameNode): void {
    this.#set.add(name)
  }

  override write(target: WriteTarget, value: undefined, push: boolean): void {
    this.#variable(target.name, target.path)
    super.write(target, value, push)
  }

  override counter({ name }: NameNode): void {
    this.#set.add(name)
  }

  override call({ kind, name, arguments: args, bindingClause, span }: PartialCall, node: TagNode): undefined {
    const literal = stringOf(name)
    if (literal === null) this.visit(name)
    this.#partials.add(`${node.name} ${kind} ${literal}`, { name: literal, tag: node.name }, this.#input.placeOf(span))
    this.visitArguments(args)
    if (bindingClause !== null) this.visit(bindingClause.value)
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
