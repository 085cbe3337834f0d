/** Collects the untyped names in a template: parts of `context`, and texts that may name translations, assets or inputs. */
import { childrenOf } from '../../../core/tree/expressions.ts'
import type { Branch, Expression, Filtered, Lookup, Node, TagNode, WriteTarget } from '../../../core/tree/ast.ts'
import { stringOf } from '../../../core/tree/ast.ts'
import { attached } from '../../../core/model/attached.ts'
import { plain } from '../../../core/model/codec.ts'
import { addTo } from '../../../core/source/maps.ts'
import { NO_SOURCES } from '../../../core/model/memo.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import { asMarkupNode } from '../../../core/model/markup.ts'
import { unitStamp } from '../../../core/model/stamps.ts'
import type { Template } from '../../../core/model/unit.ts'
import { isRecord } from '../../../core/source/records.ts'
import type { Span } from '../../../core/source/span.ts'
import { assign } from '../../../language/tags/assign.ts'
import { function_ } from '../../../language/tags/function.ts'
import { isNodeOf } from '../../../language/tags/tag.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { nameOf } from '../walk/context-paths.ts'
import { type CheckedSite, type Visits, visitEach } from './site-rule.ts'

/** A read of a part of the host's `context`. */
export interface ContextRead {
  /** The keys; null for a computed key. */
  readonly path: readonly (string | null)[]
  /** The spans of the keys. */
  readonly spans: readonly Span[]
  /** Whether the part was read by its bare name, which may also be the name of a variable. */
  readonly isBare: boolean
  /** Whether nil is a problem here: the value is an argument of a query or an operand of an arithmetic filter. */
  readonly isNeeded: boolean
  /** Whether the value is tested in a condition or has a default. */
  readonly isGuarded: boolean
}

/** A read of a part of a variable, such as `user.name`. */
interface PartRead {
  readonly variable: string
  readonly span: Span
}

/** A read of a field by its name. */
interface FieldRead {
  readonly name: string
  readonly span: Span
}

/** An assignment of a partial's result to a variable. */
interface FunctionCall {
  readonly variable: string
  readonly partial: string
  readonly span: Span
}

export interface TemplateNames {
  readonly context: readonly ContextRead[]
  /** The paths of the parts of `context` that are assigned to variables. */
  readonly aliased: readonly (readonly (string | null)[])[]
  /** Whether `context` itself is passed on, so that other code may read any part of it. */
  readonly passesContext: boolean
  /** Literal texts in tags, and the literal parts of interpolations. */
  readonly texts: ReadonlySet<string>
  readonly functions: readonly FunctionCall[]
  /** Reads outside of conditions and defaults. */
  readonly parts: readonly PartRead[]
  /** Reads of fields of variables that are not a part of `context`. */
  readonly fields: readonly FieldRead[]
  /**
   * Offsets where a condition tests a variable, or where a default replaces it. Offset 0 means that the condition tests another variable,
   * which holds a part of this one.
   */
  readonly guarded: ReadonlyMap<string, readonly number[]>
}

const CONDITION_TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'elsif', 'case', 'when'])

/** Tags that pass values to a partial. */
const CALL_TAGS: ReadonlySet<string> = new Set(['render', 'include', 'function', 'background', 'theme_render_rc'])

/** Variables that the language sets, with fields of their own. */
const LANGUAGE_VARIABLES: ReadonlySet<string> = new Set(['forloop', 'tablerowloop', 'location'])

/** Arithmetic filters. */
const ARITHMETIC_FILTERS: ReadonlySet<string> = new Set('plus minus times divided_by modulo'.split(' '))

const knownNames = attached<Template, TemplateNames>()

export function namesOf({ template }: SiteTemplate): TemplateNames {
  let names = knownNames.get(template)
  if (names === undefined) knownNames.set(template, (names = new NameScan().run(template.nodes)))
  return names
}

/** Finds the names in all templates. They are kept for later processes, so that these need not parse the templates for them. */
export function keepNames({ site, siteTemplates, memo }: CheckedSite): Visits {
  return visitEach(
    siteTemplates,
    (siteTemplate) => {
      const names = memo.query({
        name: 'names',
        key: siteTemplate.key,
        inputs: () => [unitStamp(siteTemplate.unit, site.config)],
        sources: NO_SOURCES,
        codec: plain<TemplateNames>,
        make: () => namesOf(siteTemplate),
      })
      knownNames.set(siteTemplate.template, names)
    },
    () => [],
  )
}

class NameScan {
  readonly #context: ContextRead[] = []
  readonly #aliased: (readonly (string | null)[])[] = []
  readonly #texts = new Set<string>()
  readonly #functions: FunctionCall[] = []
  readonly #parts: PartRead[] = []
  readonly #fields: FieldRead[] = []
  readonly #guarded = new Map<string, number[]>()
  /** For each variable that was set to a part of another one, that other variable. */
  readonly #wholeByPart = new Map<string, string>()
  /** The path below `context` of each variable that holds a part of it. */
  readonly #aliases = new Map<string, readonly (string | null)[]>([
    ['context', []],
    ['exports', ['exports']],
    ['session', ['session']],
  ])
  readonly #bareNames = new Set(['exports', 'session'])
  #passesContext = false
  #isNeeded = false
  /** The name of the tag whose arguments are being read, if it calls a partial; null otherwise. */
  #calledTag: string | null = null

  run(nodes: readonly Node[]): TemplateNames {
    this.#nodes(nodes)
    for (const [part, whole] of this.#wholeByPart) if (this.#guarded.has(part)) addTo(this.#guarded, whole, 0)
    return {
      context: shareList(this.#context),
      aliased: shareList(this.#aliased),
      passesContext: this.#passesContext,
      texts: shareWords(this.#texts),
      functions: shareList(this.#functions),
      parts: shareList(this.#parts),
      fields: shareList(this.#fields),
      guarded: shareMap(this.#guarded),
    }
  }

  #nodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'output') this.#value(node.value, false)
      else if (node.kind === 'tag') this.#tag(node)
    }
  }

  #tag(node: TagNode): void {
    if (isNodeOf(function_, node, 'target', 'name')) this.#function(node.markup, node.span)
    this.#isNeeded = node.name === 'graphql'
    this.#calledTag = CALL_TAGS.has(node.name) ? node.name : null
    if (!isNodeOf(assign, node, 'target', 'value') || !this.#assign(node.markup))
      this.#value(node.markup, CONDITION_TAGS.has(node.name))
    this.#isNeeded = false
    this.#calledTag = null
    this.#nodes(node.body)
    for (const branch of node.branches) this.#branch(branch)
  }

  #branch({ name, markup, body }: Branch): void {
    this.#value(markup, CONDITION_TAGS.has(name))
    this.#nodes(body)
  }

  #function({ target, name }: { readonly target: WriteTarget; readonly name: Expression }, span: Span): void {
    const partial = stringOf(name)
    if (target.path.length === 0 && partial !== null)
      this.#functions.push({ variable: target.name.name, partial, span })
  }

  /** Records a variable as an alias if its value is a part of `context`, or the user's id. Returns whether it is one. */
  #assign({ target, value }: { readonly target: WriteTarget; readonly value: Filtered }): boolean {
    if (target.path.length > 0) return false
    const { name } = target.name
    this.#aliases.delete(name)
    this.#bareNames.delete(name)
    const { input, filters } = value
    if (input?.kind !== 'lookup' || filters.length > 0) return false
    const path = this.#pathOf(input)
    if (path === null && input.name !== null) this.#wholeByPart.set(name, input.name.name)
    if (path === null || (path.length > 1 && path.join('.') !== 'current_user.id')) return false
    this.#aliases.set(name, path)
    this.#aliased.push(path)
    return true
  }

  #pathOf({ name, path }: Lookup): readonly (string | null)[] | null {
    const alias = name === null ? undefined : this.#aliases.get(name.name)
    return alias === undefined ? null : [...alias, ...path.map(nameOf)]
  }

  /** Reads any part of a tag's markup. */
  #value(value: unknown, guarded: boolean): void {
    if (Array.isArray(value)) {
      for (const each of value) this.#value(each, guarded)
      return
    }
    if (!isRecord(value)) return
    const node = asMarkupNode(value)
    if (node?.kind === 'literal') return this.#literal(node.value)
    if (node?.kind === 'lookup') this.#lookup(node, guarded)
    else if (node?.kind === 'interpolation') {
      for (const part of node.parts) if (typeof part === 'string') this.#texts.add(part)
    } else if (node?.kind === 'quoted') this.#texts.add(node.name)
    const filters = node?.kind === 'filtered' ? node.filters : null
    const isGuarded =
      guarded ||
      node?.kind === 'comparison' ||
      node?.kind === 'logical' ||
      filters?.some(({ name }) => name.name === 'default') === true
    const { needed, called } = { needed: this.#isNeeded, called: this.#calledTag }
    if (filters !== null && filters.length > 0) this.#calledTag = null
    this.#isNeeded ||= filters !== null && ARITHMETIC_FILTERS.has(filters[0]?.name.name ?? '')
    if (
      node?.kind === 'lookup' ||
      node?.kind === 'filtered' ||
      node?.kind === 'comparison' ||
      node?.kind === 'logical'
    ) {
      for (const child of childrenOf(node)) this.#value(child, isGuarded)
    }
    // Building lists of keys with `Object.keys` would take most of the time.
    else
      for (const key in value) {
        const inner = value[key]
        if (typeof inner === 'object' && key !== 'span') this.#value(inner, isGuarded)
      }
    this.#isNeeded = needed
    this.#calledTag = called
  }

  #literal(value: Extract<Expression, { kind: 'literal' }>['value']): void {
    if (value.type === 'string') this.#texts.add(value.value)
  }

  #lookup(lookup: Lookup, isGuarded: boolean): void {
    const variable = lookup.name?.name
    if (variable !== undefined) {
      // An included partial may check its arguments and end the page. Any partial may accept a nil argument.
      if (isGuarded || (this.#calledTag === 'include' && lookup.path.length > 0))
        addTo(this.#guarded, variable, lookup.span.start)
      else if (this.#calledTag !== null) return this.#contextRead(lookup, isGuarded)
      else if (lookup.path.length > 0) this.#parts.push({ variable, span: lookup.span })
    }
    this.#contextRead(lookup, isGuarded)
  }

  #contextRead(lookup: Lookup, isGuarded: boolean): void {
    const variable = lookup.name?.name
    const path = this.#pathOf(lookup)
    if (path === null) {
      if (variable !== undefined && LANGUAGE_VARIABLES.has(variable)) return
      for (const accessor of lookup.path) if (accessor.kind === 'key') this.#fields.push(accessor)
      return
    }
    if (path.length === 0) this.#passesContext = true
    const own = lookup.path.map(({ span }) => span)
    const before = Array.from({ length: path.length - own.length }, () => lookup.span)
    this.#context.push({
      path,
      spans: [...before, ...own],
      isBare: variable !== undefined && this.#bareNames.has(variable),
      isNeeded: this.#isNeeded,
      isGuarded,
    })
  }
}
