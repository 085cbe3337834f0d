/** Infers the types of values, as far as they are certain wherever the value is used. */
import {
  type Accessor,
  type Expression,
  type FilterCall,
  type HashLiteral,
  type Lookup,
  type NameNode,
  stringOf,
} from '../../../core/tree/ast.ts'
import { childrenOf, evaluate, type ExpressionCases } from '../../../core/tree/expressions.ts'
import type { Binding, ValueNode } from '../../../core/model/facts.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import { BOOLEAN, NEVER, NIL, RANGE, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { acceptsArity } from '../../../language/types/fallible.ts'
import { type TypedFilterCall, refinedResult } from '../../../language/types/filter-results.ts'
import { changesInput } from '../../../language/types/filters.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { asPart, isMutable, join, members } from '../../../language/types/relate.ts'
import type { CertainVariables } from './certain-variables.ts'
import { EMPTY, literalType } from '../../../language/types/literal-type.ts'
import { literalKey } from '../../../language/types/accessors.ts'

export interface ValueRules {
  readonly site: Site
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Whether a `try` is open, in which a filter fails when it rejects its input instead of returning another value. */
  readonly isInTry: () => boolean
  /** Returns the binding of a name that the template has not set; null if the binding is uncertain. */
  readonly bindingOf: (name: string) => Binding | null
}

/** Properties that values have besides their keys. */
const PSEUDO_PROPERTIES: ReadonlySet<string> = new Set(['size', 'first', 'last'])

/** Filters that make new values from texts. */
const NEW_VALUE_FILTERS: ReadonlySet<string> = new Set(['split', 'parse_json'])

/** Filters whose arguments refine the result type, if the input is a list without nested lists: other lists are flattened first. */
const FLAT_LIST_FILTERS: ReadonlySet<string> = new Set([
  ...[
    'reverse',
    'sort',
    'sort_natural',
    'uniq',
    'where',
    'reject',
    'compact',
    'first',
    'last',
    'find',
    'map',
    'concat',
  ],
  ...['array_uniq', 'array_limit', 'array_rotate', 'array_select', 'array_reject', 'array_shuffle', 'array_sort_by'],
  ...['array_subtract', 'array_intersect', 'array_compact', 'array_detect', 'array_map', 'array_group_by'],
  ...['array_add', 'array_prepend'],
])
/** Filters whose arguments refine the result type, whatever the input is. */
const ANY_INPUT_FILTERS: ReadonlySet<string> = new Set([
  ...['size', 'split', 'deep_clone', 'default', 'parse_json', 'hash_merge', 'hash_add_key'],
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'abs'],
])

/** Kinds of expressions whose value may contain the values of their parts. */
const HOLDERS: ReadonlySet<Expression['kind']> = new Set(['hash', 'array', 'filtered'])

export class CertainValues {
  readonly types = new Map<ValueNode, Type>()
  readonly #bindings = new Map<Lookup, Binding | null>()
  readonly #rules: ValueRules
  readonly #flow: CertainVariables

  constructor(rules: ValueRules, flow: CertainVariables) {
    this.#rules = rules
    this.#flow = flow
  }

  /** Returns the lookups that have the same binding wherever the template uses them. */
  get bindings(): ReadonlyMap<Lookup, Binding> {
    return new Map([...this.#bindings].flatMap(([lookup, binding]) => (binding === null ? [] : [[lookup, binding]])))
  }

  /**
   * Returns the type of a value. `isHeld`: another variable or value will also refer to it, so that it may be changed under another name.
   */
  typeOf(expression: Expression, isHeld: boolean): Type {
    const type = this.#infer(expression)
    if (isHeld && isMutable(type)) this.#share(expression)
    return type
  }

  #infer(expression: Expression): Type {
    return this.#note(expression, evaluate(expression, this.#cases))
  }

  /** Notes the type of a node and returns it. A node that loops visit more than once gets the join of its types. */
  #note(node: ValueNode, type: Type): Type {
    const knownType = this.types.get(node)
    if (knownType === undefined) this.types.set(node, type)
    else if (knownType !== type) this.types.set(node, join(knownType, type))
    return type
  }

  // ---- kinds of expressions -----------------------------------------------------------------------------------------

  readonly #cases: ExpressionCases<Type> = {
    literal: literalType,
    lookup: (expression) => this.#lookup(expression),
    range: (expression) => this.#inferChildren(expression, RANGE),
    interpolation: (expression) => this.#inferChildren(expression, STRING),
    hash: (expression) => this.#hash(expression),
    array: ({ items }) => {
      let element: Type = NEVER
      for (const item of items) element = join(element, asPart(this.#infer(item)))
      return { kind: 'list', element }
    },
    comparison: (expression) => this.#truth(expression),
    logical: (expression) => this.#truth(expression),
    filtered: ({ input, filters }) => this.typeAfterFilters(this.#infer(input), filters, input),
  }

  #truth(expression: Expression): Type {
    // In base Liquid a comparison that is used as a value returns its left operand.
    return this.#inferChildren(expression, this.#rules.site.dialect === 'platform' ? BOOLEAN : UNKNOWN)
  }

  /** Infers the types of the parts of an expression, and returns the type of the whole. */
  #inferChildren(expression: Expression, whole: Type): Type {
    for (const child of childrenOf(expression)) this.#infer(child)
    return whole
  }

  // ---- lookups ----------------------------------------------------------------------------------------------------

  #lookup(expression: Lookup): Type {
    const { name, path } = expression
    if (name === null) return this.#inferChildren(expression, UNKNOWN)
    const binding = this.#bindingOf(name.name)
    const known = this.#bindings.get(expression)
    this.#bindings.set(expression, known === undefined || known === binding ? binding : null)
    let type = this.#note(name, this.#flow.typeOf(name.name))
    for (const accessor of path) type = this.#note(accessor, this.partOf(type, accessor))
    return type
  }

  #bindingOf(name: string): Binding | null {
    if (this.#flow.localType(name) !== undefined) return 'loop'
    const variable = this.#flow.variable(name)
    if (variable !== undefined) return variable.isCertain ? 'variable' : null
    return this.#rules.bindingOf(name)
  }

  /** Returns the type of an accessor's value. A computed index is inferred as well. */
  partOf(type: Type, accessor: Accessor): Type {
    const index = accessor.kind === 'index' ? this.#infer(accessor.value) : null
    const key = literalKey(accessor)
    if (key === null)
      return members(type).some((each) => each.kind === 'string' || each.kind === 'range') || index === null
        ? UNKNOWN
        : element(type)
    const isPseudo = accessor.kind === 'key' && PSEUDO_PROPERTIES.has(key)
    // In a hash, `size`, `first` and `last` may be keys or properties. An empty text has no first or last character.
    if (isPseudo && members(type).some((each) => lacksPseudo(each, key))) return UNKNOWN
    return property(type, key, accessor.kind === 'key').type
  }

  #hash(expression: HashLiteral): Type {
    const fields = new Map<string, Type>()
    let isKnown = true
    for (const { key, value } of expression.entries) {
      const type = asPart(this.#infer(value))
      if (key.kind === 'computed') this.#infer(key.value)
      // A bare key is the value of the variable of that name if there is one.
      if (key.kind === 'quoted' || (key.kind === 'bare' && this.#bindingOf(key.name) === 'unset'))
        fields.set(key.name, type)
      else isKnown = false
    }
    return isKnown ? { kind: 'record', fields, open: false, origin: null } : { kind: 'hash', element: UNKNOWN }
  }

  // ---- filters ----------------------------------------------------------------------------------------------------

  /** Returns the type after a chain of filters. `source`: the input expression; null if the input is not an expression. */
  typeAfterFilters(input: Type, filters: readonly FilterCall[], source: Expression | null): Type {
    let type = input
    let inputExpression = source
    for (const call of filters) {
      type = this.#note(call, this.#filter(call, type, inputExpression))
      inputExpression = null
    }
    return type
  }

  #filter(call: FilterCall, input: Type, source: Expression | null): Type {
    const positional = call.positional.map((each) => this.#infer(each))
    const named = call.named.map(({ name, value }): [string, Type] => [name.name, this.#infer(value)])
    const filter = this.#rules.filters.get(call.name.name)
    if (filter === undefined || !acceptsArity(call, filter)) return UNKNOWN
    const canonical = filter.aliasOf ?? filter.name
    const use = { input, positional, namedTypes: named.length === 0 ? null : new Map(named) }
    const refined = isRefined(canonical, call, use) ? refinedResult(canonical, use, filter.result) : filter.result
    const result = mayBeNil(filter.result) ? join(refined, NIL) : refined
    if (changesInput(filter)) {
      this.#change(source, canonical === 'hash_add_key' ? result : null)
      // From now on, the input refers to the arguments.
      for (const each of call.positional) this.#share(each)
      if (source !== null && positional.some(isMutable)) this.#share(source)
    }
    return this.#withRejection(filter, result)
  }

  /** Returns the type of a result. If faults are printed, a filter that rejects its input returns false or the empty value. */
  #withRejection({ dialect, fallible, suspends }: FilterSignature, result: Type): Type {
    const { site } = this.#rules
    if (site.dialect !== 'platform' || dialect !== 'platform' || !(fallible || suspends)) return result
    if (site.raise || this.#rules.isInTry()) return result
    return members(result).some(({ kind }) => kind === 'boolean') ? join(result, BOOLEAN) : join(result, EMPTY)
  }

  /** Notes that a filter changes the hash it receives. `same`: the new type if the filter returns that hash; null otherwise. */
  #change(source: Expression | null, same: Type | null): void {
    if (source?.kind === 'lookup' && source.name !== null && source.path.length === 0)
      this.#flow.change(source.name.name, same ?? UNKNOWN, true)
    // The value of a literal has no other holder.
    else if (source === null || !this.isFresh(source)) this.#flow.forget()
  }

  // ---- sharing of values ------------------------------------------------------------------------------------------

  /** Notes that another variable or value will refer to the value or parts of it. */
  #share(expression: Expression): void {
    if (expression.kind === 'lookup') {
      if (expression.name === null) this.#flow.shareAll()
      else this.#flow.share(expression.name.name)
    } else if (HOLDERS.has(expression.kind)) for (const child of childrenOf(expression)) this.#share(child)
  }

  /** Returns whether this expression creates its value, so that nothing else can refer to the value or a part of it. */
  isFresh(expression: Expression): boolean {
    if (expression.kind === 'hash') return expression.entries.every(({ value }) => this.isFresh(value))
    if (expression.kind === 'array') return expression.items.every((item) => this.isFresh(item))
    if (!isMutable(this.types.get(expression) ?? UNKNOWN)) return true
    if (expression.kind !== 'filtered') return false
    const last = expression.filters.at(-1)
    if (last === undefined) return this.isFresh(expression.input)
    const filter = this.#rules.filters.get(last.name.name)
    const canonical = filter?.aliasOf ?? filter?.name ?? ''
    if (canonical === 'deep_clone') return true
    return (
      NEW_VALUE_FILTERS.has(canonical) &&
      expression.filters.length === 1 &&
      !isMutable(this.types.get(expression.input) ?? UNKNOWN)
    )
  }

  /** Returns the type of a written name; the name counts as read. */
  typeOfTarget(name: NameNode): Type {
    return this.#note(name, this.#flow.typeOf(name.name))
  }
}

function lacksPseudo(type: Type, key: string): boolean {
  if (type.kind === 'record') return !type.fields.has(key)
  return type.kind === 'hash' || (type.kind === 'string' && key !== 'size')
}

/** Returns whether the arguments of a filter refine its result type. */
function isRefined(filter: string, { positional }: FilterCall, { input, positional: types }: TypedFilterCall): boolean {
  if (ANY_INPUT_FILTERS.has(filter)) return true
  // Under these names, elements also return values that are not stored under a key.
  const readsProperty = positional.some((each) => PSEUDO_PROPERTIES.has(stringOf(each) ?? ''))
  return FLAT_LIST_FILTERS.has(filter) && !readsProperty && isFlatList(input) && types.every(isFlatOrNotList)
}

function mayBeNil(type: Type): boolean {
  return members(type).some(({ kind }) => kind === 'nil')
}

function isFlatList(type: Type): boolean {
  return (
    type.kind === 'list' &&
    !members(type.element).some(({ kind }) => kind === 'list' || kind === 'range' || kind === 'unknown')
  )
}

/** Returns whether a value is not a list, or is a list without nested lists. */
function isFlatOrNotList(type: Type): boolean {
  return members(type).every((each) => each.kind !== 'unknown' && (each.kind !== 'list' || isFlatList(each)))
}
