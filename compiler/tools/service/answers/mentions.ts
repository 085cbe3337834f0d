/** Collects every name in a template with its span: variables with their loop scope, other files, translations, assets. */
import { LANGUAGE } from '../../../language/language.ts'
import type { Expression, NamedArgument, NameNode, WriteTarget } from '../../../core/tree/ast.ts'
import { attached } from '../../../core/model/attached.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Template, Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { DetachedKind, LoopLocal, PartialCall, QueryUse, SiteNote } from '../../../language/tags/tag.ts'
import { Engine, type LoopEffects, type Place } from '../../../phases/analyze/engine.ts'
import { Visitor } from '../../../phases/analyze/visitor.ts'
import { getOrMake } from '../../../core/source/maps.ts'

export type MentionKind =
  | 'variable'
  | 'partial'
  | 'query'
  | 'argument'
  | 'query-argument'
  | 'form'
  | 'translation'
  /** The first text of a computed translation key. */
  | 'translation-start'
  | 'asset'

export interface Mention {
  readonly kind: MentionKind
  readonly name: string
  /** Span of the name alone, without quotes. */
  readonly span: Span
  /** Whether the variable is assigned a value here. */
  readonly isAssigned: boolean
  /** For a variable: the number of its loop scope; 0 is the template itself. */
  readonly scope: number
  /** For an argument: the name of the called partial or query. */
  readonly callee: string | null
  /** For a translation: the key in its argument `scope`, below which it is; null without a scope. */
  readonly scopeKey: string | null
}

/** A call of a partial, with its arguments. */
interface MentionedCall {
  readonly kind: PartialCall['kind']
  /** The name of the partial; null for a computed name. */
  readonly name: string | null
  readonly span: Span
  /** The variable that the call sets through `with` or `for`, without a named argument. */
  readonly bound: string | null
  readonly passedNames: ReadonlySet<string>
}

export interface Mentions {
  readonly mentions: readonly Mention[]
  readonly calls: readonly MentionedCall[]
}

const mentionsByTemplate = attached<Template, Mentions>()

/** Returns the mentions of each template of a file, in separate lists, because templates do not share variables. */
export function collectMentions(unit: Unit): readonly Mentions[] {
  const templates = [...(unit.template === null ? [] : [unit.template]), ...unit.inner.values()]
  return templates.map((template) =>
    getOrMake(mentionsByTemplate, template, () => {
      const engine = new Engine(LANGUAGE.tags, (place: Place<null>) => new MentionCollector(unit, place))
      const collector = engine.domain
      for (const { name, span } of template.doc?.params ?? []) collector.documented(name, span)
      engine.body(template.nodes)
      return { mentions: collector.mentions, calls: collector.calls }
    }),
  )
}

/** Yields all mentions in the templates of a site. */
export function* mentionsIn(site: Site): Generator<Mention> {
  for (const unit of site.units) for (const { mentions } of collectMentions(unit)) yield* mentions
}

const TRANSLATES = /^(?:t|translate|t_escape|translate_escape)$/

class MentionCollector extends Visitor {
  readonly mentions: Mention[] = []
  readonly calls: MentionedCall[] = []
  readonly #unit: Unit
  readonly #scopes: { readonly id: number; readonly names: ReadonlySet<string> }[] = []
  #loops = 0

  constructor(unit: Unit, place: Place<null>) {
    super('platform', place)
    this.#unit = unit
  }

  documented(name: string, span: Span): void {
    const at = this.source(span).search(new RegExp(`\\b${name}\\b`))
    if (at >= 0)
      this.#add(
        'variable',
        name,
        { ...span, start: span.start + at, end: span.start + at + name.length },
        { isAssigned: true },
      )
  }

  #add(
    kind: MentionKind,
    name: string,
    span: Span,
    { isAssigned = false, callee = null, scopeKey = null }: Partial<Mention> = {},
  ): void {
    // Skips names that the compiler generated, and names in escaped texts.
    if (this.source(span) !== name) return
    const scope = kind === 'variable' ? this.#scopeOf(name) : 0
    this.mentions.push({ kind, name, span, isAssigned, scope, callee, scopeKey })
  }

  #scopeOf(name: string): number {
    return this.#scopes.findLast(({ names }) => names.has(name))?.id ?? 0
  }

  /** Adds the name that a literal text contains, and returns it; null for another expression. */
  #text(kind: MentionKind, expression: Expression, scopeKey: string | null = null): string | null {
    if (expression.kind !== 'literal' || expression.value.type !== 'string') return null
    const { span } = expression
    this.#add(kind, expression.value.value, { ...span, start: span.start + 1, end: span.end - 1 }, { scopeKey })
    return expression.value.value
  }

  override visit(expression: Expression): void {
    if (expression.kind === 'lookup' && expression.name !== null)
      this.#add('variable', expression.name.name, expression.name.span)
    else if (expression.kind === 'filtered') {
      const first = expression.filters[0]?.name.name ?? ''
      this.#translation(expression)
      if (/^asset_(?:url|path)$/.test(first)) this.#text('asset', expression.input)
    }
    super.visit(expression)
  }

  #translation({ input, filters }: Extract<Expression, { readonly kind: 'filtered' }>): void {
    const at = filters.findIndex(({ name }) => TRANSLATES.test(name.name))
    if (at > 0) this.#text('translation-start', input)
    if (at !== 0) return
    const scope = filters[0]?.named.find(({ name }) => name.name === 'scope')?.value
    if (scope === undefined) this.#text('translation', input)
    // Below a computed scope, the key is unknown.
    else if (scope.kind === 'literal' && scope.value.type === 'string') {
      this.#text('translation', scope)
      this.#text('translation', input, scope.value.value)
    }
  }

  override loop(locals: readonly LoopLocal[]): LoopEffects<null> {
    const scope = { id: ++this.#loops, names: new Set(locals.map(({ name }) => name)) }
    return {
      ...super.loop(locals),
      enter: () => {
        this.#scopes.push(scope)
        for (const { name, span } of locals) if (span !== null) this.#add('variable', name, span, { isAssigned: true })
      },
      leave: () => void this.#scopes.pop(),
    }
  }

  override enterDetached(_kind: DetachedKind, key: Expression | undefined): void {
    if (key !== undefined) this.visit(key)
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  override assign(name: NameNode): void {
    if (this.source(name.span) !== name.name) return
    // `assign` writes the template's own variable, even inside a loop with a variable of that name.
    this.mentions.push({
      kind: 'variable',
      name: name.name,
      span: name.span,
      isAssigned: true,
      scope: 0,
      callee: null,
      scopeKey: null,
    })
  }

  override write(target: WriteTarget, value: undefined, push: boolean): void {
    const { name, path } = target
    if (path.length === 0) this.assign(name)
    else this.#add('variable', name.name, name.span)
    super.write(target, value, push)
  }

  override counter(name: NameNode): void {
    this.assign(name)
  }

  // ---- calls and queries --------------------------------------------------------------------------------------------

  override call({ kind, name, arguments: args, bindingClause, span }: PartialCall): undefined {
    const called = this.#text('partial', name)
    if (called === null) this.visit(name)
    if (bindingClause !== null) {
      this.visit(bindingClause.value)
      if (bindingClause.alias !== null)
        this.#add('argument', bindingClause.alias.name, bindingClause.alias.span, { callee: called })
    }
    this.#arguments('argument', args, called)
    const implicit =
      bindingClause === null || bindingClause.alias !== null || called === null
        ? null
        : called.slice(called.lastIndexOf('/') + 1)
    const passedNames = new Set([
      ...args.map((each) => each.name.name),
      ...(bindingClause?.alias == null ? [] : [bindingClause.alias.name]),
    ])
    this.calls.push({ kind, name: called, span, bound: implicit, passedNames })
  }

  override query({ name, body, arguments: args, spread, filters }: QueryUse): undefined {
    this.place.body(body)
    const called = name === null ? null : this.#text('query', name)
    if (name !== null && called === null) this.visit(name)
    this.#arguments('query-argument', args, called)
    if (spread !== null) this.visit(spread)
    this.visitFilters(filters)
  }

  #arguments(kind: 'argument' | 'query-argument', args: readonly NamedArgument[], callee: string | null): void {
    for (const { name, value } of args) {
      this.#add(kind, name.name, name.span, { callee })
      this.visit(value)
    }
  }

  override note(note: SiteNote): void {
    if (note.kind === 'include-form') this.#text('form', note.name)
  }

  override source(span: Span): string {
    return this.#unit.file.text.slice(span.start, span.end)
  }
}
