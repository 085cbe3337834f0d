/** What a template says by names that no type knows: parts of `context`, and texts that may name translations, assets or inputs. */
import type { Branch, Expression, Filtered, Lookup, Node, TagNode, WriteTarget } from '../../../core/model/ast.ts'
import { derived } from '../../../core/model/derived.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import { asMarkupNode } from '../../../core/model/markup.ts'
import type { Template } from '../../../core/model/unit.ts'
import { isRecord } from '../../../core/source/records.ts'
import type { Span } from '../../../core/source/span.ts'
import { assign } from '../../../language/tags/assign.ts'
import { function_ } from '../../../language/tags/function.ts'
import { isNodeOf } from '../../../language/tags/tag.ts'
import type { Piece } from '../piece.ts'

/** A read below the host's `context`. */
export interface ContextRead {
  /** The keys; null for one that is computed. */
  readonly path: readonly (string | null)[]
  /** The places of the keys. */
  readonly spans: readonly Span[]
  /** By the bare name of the part, which may be a variable as well. */
  readonly bare: boolean
  /** Nil serves badly here: a variable of a query, or what a filter counts with. */
  readonly needed: boolean
  /** It is asked for in a condition, or replaced by a default. */
  readonly guarded: boolean
}

/** A read of a part of a variable: `user.name`. */
interface PartRead {
  readonly variable: string
  readonly span: Span
}

/** A field of a value, by its name. */
interface FieldRead {
  readonly name: string
  readonly span: Span
}

/** A variable that is given what a partial returns. */
interface FunctionCall {
  readonly variable: string
  readonly partial: string
  readonly span: Span
}

export interface TemplateNames {
  readonly context: readonly ContextRead[]
  /** `context` itself is handed on: anything of it may be read elsewhere. */
  readonly handsOnContext: boolean
  /** Texts of the template's own tags, and the pieces of those that hold values. */
  readonly texts: ReadonlySet<string>
  readonly functions: readonly FunctionCall[]
  /** Outside of conditions and defaults. */
  readonly parts: readonly PartRead[]
  /** Fields that are read of variables that are no part of `context`. */
  readonly fields: readonly FieldRead[]
  /**
   * Variables that a condition asks for, or a default replaces, and those that get a part of one of them, each with the offsets of the
   * places that do: 0 for a part that is asked for anywhere.
   */
  readonly guarded: ReadonlyMap<string, readonly number[]>
}

const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'elsif', 'case', 'when'])

/** Tags that hand values to a partial. */
const CALLS: ReadonlySet<string> = new Set(['render', 'include', 'function', 'background', 'theme_render_rc'])

/** What the language gives, with fields of their own. */
const GIVEN: ReadonlySet<string> = new Set(['forloop', 'tablerowloop', 'location'])

const COUNTS: ReadonlySet<string> = new Set('plus minus times divided_by modulo'.split(' '))

const namesIn = derived(({ nodes }: Template): TemplateNames => new NameScan().run(nodes))

export function namesOf({ template }: Piece): TemplateNames {
  return namesIn(template)
}

class NameScan {
  readonly #context: ContextRead[] = []
  readonly #texts = new Set<string>()
  readonly #functions: FunctionCall[] = []
  readonly #parts: PartRead[] = []
  readonly #fields: FieldRead[] = []
  readonly #guarded = new Map<string, number[]>()
  /** By variables, those of which they were given a part. */
  readonly #givenPartOf = new Map<string, string>()
  /** Variables that hold a part of `context`. */
  readonly #aliases = new Map<string, readonly (string | null)[]>([
    ['context', []],
    ['exports', ['exports']],
    ['session', ['session']],
  ])
  readonly #bare = new Set(['exports', 'session'])
  #handsOnContext = false
  #needed = false
  /** The tag whose arguments are read, where it calls a partial. */
  #called: string | null = null

  run(nodes: readonly Node[]): TemplateNames {
    this.#nodes(nodes)
    for (const [part, whole] of this.#givenPartOf) if (this.#guarded.has(part)) this.#guard(whole, 0)
    return {
      context: shareList(this.#context),
      handsOnContext: this.#handsOnContext,
      texts: shareWords(this.#texts),
      functions: shareList(this.#functions),
      parts: shareList(this.#parts),
      fields: shareList(this.#fields),
      guarded: shareMap(this.#guarded),
    }
  }

  #guard(variable: string, at: number): void {
    const known = this.#guarded.get(variable)
    if (known === undefined) this.#guarded.set(variable, [at])
    else known.push(at)
  }

  #nodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'output') this.#value(node.value, false)
      else if (node.kind === 'tag') this.#tag(node)
    }
  }

  #tag(node: TagNode): void {
    if (isNodeOf(function_, node, 'target', 'name')) this.#function(node.markup, node.span)
    this.#needed = node.name === 'graphql'
    this.#called = CALLS.has(node.name) ? node.name : null
    if (!isNodeOf(assign, node, 'target', 'value') || !this.#assign(node.markup))
      this.#value(node.markup, CONDITIONS.has(node.name))
    this.#needed = false
    this.#called = null
    this.#nodes(node.body)
    for (const branch of node.branches) this.#branch(branch)
  }

  #branch({ name, markup, body }: Branch): void {
    this.#value(markup, CONDITIONS.has(name))
    this.#nodes(body)
  }

  #function({ target, name }: { readonly target: WriteTarget; readonly name: Expression }, span: Span): void {
    if (target.path.length > 0) return
    if (name.kind === 'literal' && name.value.type === 'string')
      this.#functions.push({ variable: target.name.name, partial: name.value.value, span })
  }

  /** Records a variable as an alias if its value is a part of `context`, or the user's id. Returns whether it is one. */
  #assign({ target, value }: { readonly target: WriteTarget; readonly value: Filtered }): boolean {
    if (target.path.length > 0) return false
    const { name } = target.name
    this.#aliases.delete(name)
    this.#bare.delete(name)
    const { input, filters } = value
    if (input?.kind !== 'lookup' || filters.length > 0) return false
    const path = this.#pathOf(input)
    if (path === null && input.name !== null) this.#givenPartOf.set(name, input.name.name)
    if (path === null || (path.length > 1 && path.join('.') !== 'current_user.id')) return false
    this.#aliases.set(name, path)
    return true
  }

  #pathOf({ name, path }: Lookup): readonly (string | null)[] | null {
    const alias = name === null ? undefined : this.#aliases.get(name.name)
    return alias === undefined ? null : [...alias, ...path.map(keyOf)]
  }

  /** Any part of a tag's markup. */
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
    const { needed, called } = { needed: this.#needed, called: this.#called }
    if (filters !== null && filters.length > 0) this.#called = null
    this.#needed ||= filters !== null && COUNTS.has(filters[0]?.name.name ?? '')
    // Every value of a site comes by here: lists of its keys would be most of the work.
    for (const key in value) {
      const inner = value[key]
      if (typeof inner === 'object' && key !== 'span') this.#value(inner, isGuarded)
    }
    this.#needed = needed
    this.#called = called
  }

  #literal(value: Extract<Expression, { kind: 'literal' }>['value']): void {
    if (value.type === 'string') this.#texts.add(value.value)
  }

  #lookup(lookup: Lookup, guarded: boolean): void {
    const variable = lookup.name?.name
    if (variable !== undefined) {
      // A partial that is included may ask for what it is handed, and end the page without it; any partial may do without.
      if (guarded || (this.#called === 'include' && lookup.path.length > 0)) this.#guard(variable, lookup.span.start)
      else if (this.#called !== null) return this.#contextRead(lookup, guarded)
      else if (lookup.path.length > 0) this.#parts.push({ variable, span: lookup.span })
    }
    this.#contextRead(lookup, guarded)
  }

  #contextRead(lookup: Lookup, guarded: boolean): void {
    const variable = lookup.name?.name
    const path = this.#pathOf(lookup)
    if (path === null) {
      if (variable !== undefined && GIVEN.has(variable)) return
      for (const accessor of lookup.path) if (accessor.kind === 'key') this.#fields.push(accessor)
      return
    }
    if (path.length === 0) this.#handsOnContext = true
    const own = lookup.path.map(({ span }) => span)
    const before = Array.from({ length: path.length - own.length }, () => lookup.span)
    this.#context.push({
      path,
      spans: [...before, ...own],
      bare: variable !== undefined && this.#bare.has(variable),
      needed: this.#needed,
      guarded,
    })
  }
}

function keyOf(accessor: Lookup['path'][number]): string | null {
  if (accessor.kind === 'key') return accessor.name
  const { value } = accessor
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}
