/** Collects every name in a template with its span: variables with their loop scope, other files, translations, assets. */
import { LANGUAGE } from '../../../language/language.ts'
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  WriteTarget,
} from '../../../core/tree/ast.ts'
import { attached } from '../../../core/model/attached.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Template, Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type {
  CheckKit,
  LoopLocal,
  PartialCall,
  QueryUse,
  SiteNote,
  ConditionalBranch,
} from '../../../language/tags/tag.ts'

export type MentionKind =
  | 'variable'
  | 'partial'
  | 'query'
  | 'argument'
  | 'query-argument'
  | 'form'
  | 'translation'
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
  return templates.map((template) => {
    let mentions = mentionsByTemplate.get(template)
    if (mentions === undefined) {
      const collector = new MentionCollector(unit)
      for (const { name, span } of template.doc?.params ?? []) collector.documented(name, span)
      collector.body(template.nodes)
      mentionsByTemplate.set(template, (mentions = { mentions: collector.mentions, calls: collector.calls }))
    }
    return mentions
  })
}

class MentionCollector implements CheckKit {
  readonly dialect = 'platform'
  readonly mentions: Mention[] = []
  readonly calls: MentionedCall[] = []
  readonly #unit: Unit
  readonly #scopes: { readonly id: number; readonly names: ReadonlySet<string> }[] = []
  #loops = 0

  constructor(unit: Unit) {
    this.#unit = unit
  }

  documented(name: string, span: Span): void {
    const at = this.source(span).search(new RegExp(`\\b${name}\\b`))
    if (at >= 0)
      this.#add('variable', name, { ...span, start: span.start + at, end: span.start + at + name.length }, true)
  }

  #add(kind: MentionKind, name: string, span: Span, isAssigned = false, callee: string | null = null): void {
    // Skips names that the compiler generated, and names in escaped texts.
    if (this.source(span) !== name) return
    const scope = kind === 'variable' ? this.#scopeOf(name) : 0
    this.mentions.push({ kind, name, span, isAssigned, scope, callee })
  }

  #scopeOf(name: string): number {
    return this.#scopes.findLast(({ names }) => names.has(name))?.id ?? 0
  }

  #text(kind: MentionKind, expression: Expression, callee: string | null = null): string | null {
    if (expression.kind !== 'literal' || expression.value.type !== 'string') return null
    const { span } = expression
    this.#add(kind, expression.value.value, { ...span, start: span.start + 1, end: span.end - 1 }, false, callee)
    return expression.value.value
  }

  // ---- nodes and values ---------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') continue
      if (node.kind === 'output') {
        if (node.value !== null) this.condition(node.value)
      } else LANGUAGE.tags.get(node.name)?.check(node, this)
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
        if (expression.name !== null) this.#add('variable', expression.name.name, expression.name.span)
        return this.#path(expression.path)
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
        return this.#filtered(expression.input, expression.filters)
    }
  }

  #path(path: readonly Accessor[]): void {
    for (const part of path) if (part.kind === 'index') this.condition(part.value)
  }

  #filtered(input: Expression, filters: readonly FilterCall[]): void {
    const first = filters[0]?.name.name ?? ''
    if (/^(?:t|translate|t_escape|translate_escape)$/.test(first)) this.#text('translation', input)
    if (/^asset_(?:url|path)$/.test(first)) this.#text('asset', input)
    this.condition(input)
    for (const { positional, named } of filters) {
      for (const each of positional) this.condition(each)
      for (const each of named) this.condition(each.value)
    }
  }

  // ---- control flow -------------------------------------------------------------------------------------------------

  branches(all: readonly ConditionalBranch[]): void {
    for (const { condition, run } of all) {
      if (condition !== null) this.condition(condition)
      run()
    }
  }

  loop(locals: readonly LoopLocal[], run: () => void): void {
    this.#scopes.push({ id: ++this.#loops, names: new Set(locals.map(({ name }) => name)) })
    for (const { name, span } of locals) if (span !== null) this.#add('variable', name, span, true)
    run()
    this.#scopes.pop()
  }

  detached(_kind: string, run: () => void, key?: Expression): void {
    if (key !== undefined) this.condition(key)
    run()
  }

  element(): Type {
    return UNKNOWN
  }

  halt(): void {}

  // ---- writes -------------------------------------------------------------------------------------------------------

  assign(name: NameNode): void {
    this.#set(name)
  }

  #set(name: NameNode): void {
    if (this.source(name.span) !== name.name) return
    // `assign` writes the template's own variable, even inside a loop with a variable of that name.
    this.mentions.push({ kind: 'variable', name: name.name, span: name.span, isAssigned: true, scope: 0, callee: null })
  }

  write({ name, path }: WriteTarget): void {
    if (path.length === 0) this.#set(name)
    else this.#add('variable', name.name, name.span)
    this.#path(path)
  }

  counter(name: NameNode): void {
    this.#set(name)
  }

  register(): void {}

  // ---- calls and queries --------------------------------------------------------------------------------------------

  call({ kind, name, arguments: args, bindingClause, span }: PartialCall): Type {
    const called = this.#text('partial', name)
    if (called === null) this.condition(name)
    if (bindingClause !== null) {
      this.condition(bindingClause.value)
      if (bindingClause.alias !== null)
        this.#add('argument', bindingClause.alias.name, bindingClause.alias.span, false, called)
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
    return UNKNOWN
  }

  job(args: readonly NamedArgument[]): void {
    for (const { value } of args) this.condition(value)
  }

  query({ name, body, arguments: args, spread, filters }: QueryUse): Type {
    this.body(body)
    const called = name === null ? null : this.#text('query', name)
    if (name !== null && called === null) this.condition(name)
    this.#arguments('query-argument', args, called)
    if (spread !== null) this.condition(spread)
    for (const { positional, named } of filters) {
      for (const each of positional) this.condition(each)
      for (const each of named) this.condition(each.value)
    }
    return UNKNOWN
  }

  #arguments(kind: 'argument' | 'query-argument', args: readonly NamedArgument[], callee: string | null): void {
    for (const { name, value } of args) {
      this.#add(kind, name.name, name.span, false, callee)
      this.condition(value)
    }
  }

  asyncPort(): void {}
  syncPort(): void {}

  note(note: SiteNote): void {
    if (note.kind === 'include-form') this.#text('form', note.name)
  }

  source(span: Span): string {
    return this.#unit.file.text.slice(span.start, span.end)
  }

  report(): void {}
}
