/** The types of values, as far as they are sure wherever the value is reached. */
import type {
  Accessor,
  Expression,
  FilterCall,
  Filtered,
  HashLiteral,
  Lookup,
  NameNode,
} from '../../../core/model/ast.ts'
import type { Binding, ValueNode } from '../../../core/model/facts.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import { BOOLEAN, NEVER, NIL, RANGE, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { acceptsArity } from '../../../language/types/fallible.ts'
import { type TypedFilterCall, refinedResult } from '../../../language/types/filter-results.ts'
import { changesInput } from '../../../language/types/filters.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { asPart, isMutable, join, members } from '../../../language/types/relate.ts'
import type { SureFlow } from './sure-flow.ts'
import { EMPTY, literalType } from '../../../language/types/literal-type.ts'

export interface ValueRules {
  readonly site: Site
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** What a name means that the template has not set; null where that is not sure. */
  readonly bindingOf: (name: string) => Binding | null
}

/** Properties that values have beside their keys. */
const PSEUDO: ReadonlySet<string> = new Set(['size', 'first', 'last'])

/** Filters whose results are made anew from texts. */
const MAKES_NEW: ReadonlySet<string> = new Set(['split', 'parse_json'])

/** Filters of which more is known by what they are given, wherever that is a list of what are no lists: others are flattened first. */
const OF_ITEMS: ReadonlySet<string> = new Set([
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
/** Filters of which more is known by what they are given, whatever that is. */
const OF_ANY: ReadonlySet<string> = new Set([
  ...['size', 'deep_clone', 'default', 'parse_json', 'hash_merge', 'hash_add_key'],
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'abs'],
])

export class Values {
  readonly types = new Map<ValueNode, Type>()
  readonly #bindings = new Map<Lookup, Binding | null>()
  readonly #rules: ValueRules
  readonly #flow: SureFlow
  /** Open bodies in which a filter that rejects what it is given fails, instead of giving another value. */
  tries = 0

  constructor(rules: ValueRules, flow: SureFlow) {
    this.#rules = rules
    this.#flow = flow
  }

  /** Lookups that mean the same wherever they are reached. */
  get bindings(): ReadonlyMap<Lookup, Binding> {
    return new Map([...this.#bindings].flatMap(([lookup, binding]) => (binding === null ? [] : [[lookup, binding]])))
  }

  /** The type of a value. `flows`: somebody will hold it, so that it may be changed under another name. */
  typeOf(expression: Expression, flows: boolean): Type {
    const type = this.#infer(expression)
    if (flows && isMutable(type)) this.#share(expression)
    return type
  }

  #infer(expression: Expression): Type {
    return this.#note(expression, this.#typeOf(expression))
  }

  /** A node is met again in every turn of a loop: its type is the one of all of them. */
  #note(node: ValueNode, type: Type): Type {
    const known = this.types.get(node)
    if (known === undefined) this.types.set(node, type)
    else if (known !== type) this.types.set(node, join(known, type))
    return type
  }

  #typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression)
      case 'lookup':
        return this.#lookup(expression)
      case 'range':
        this.#infer(expression.from)
        this.#infer(expression.to)
        return RANGE
      case 'interpolation':
        for (const part of expression.parts) if (typeof part !== 'string') this.#infer(part)
        return STRING
      case 'hash':
        return this.#hash(expression)
      case 'array': {
        let of: Type = NEVER
        for (const item of expression.items) of = join(of, asPart(this.#infer(item)))
        return { kind: 'list', of }
      }
      case 'comparison':
      case 'logical':
        this.#infer(expression.left)
        this.#infer(expression.right)
        // Base Liquid takes the left operand of a comparison that is a value.
        return this.#rules.site.dialect === 'platform' ? BOOLEAN : UNKNOWN
      case 'filtered':
        return this.#filtered(expression)
    }
  }

  // ---- lookups ----------------------------------------------------------------------------------------------------

  #lookup(expression: Lookup): Type {
    const { name, path } = expression
    if (name === null) {
      for (const accessor of path) if (accessor.kind === 'index') this.#infer(accessor.value)
      return UNKNOWN
    }
    const binding = this.#bindingOf(name.name)
    const known = this.#bindings.get(expression)
    this.#bindings.set(expression, known === undefined || known === binding ? binding : null)
    let type = this.#note(name, this.#flow.typeOf(name.name))
    for (const accessor of path) type = this.#note(accessor, this.partOf(type, accessor))
    return type
  }

  #bindingOf(name: string): Binding | null {
    if (this.#flow.local(name) !== undefined) return 'loop'
    const variable = this.#flow.variable(name)
    if (variable !== undefined) return variable.certain ? 'variable' : null
    return this.#rules.bindingOf(name)
  }

  /** The type under a step of a path; its index counts as read. */
  partOf(type: Type, accessor: Accessor): Type {
    const index = accessor.kind === 'index' ? this.#infer(accessor.value) : null
    const key = accessor.kind === 'key' ? accessor.name : literalKey(accessor.value)
    if (key === null)
      return members(type).some((each) => each.kind === 'string' || each.kind === 'range') || index === null
        ? UNKNOWN
        : element(type)
    const isPseudo = accessor.kind === 'key' && PSEUDO.has(key)
    // Of a hash they are keys or properties; a text of no characters has none.
    if (isPseudo && members(type).some((each) => lacksPseudo(each, key))) return UNKNOWN
    return property(type, key, accessor.kind === 'key').type
  }

  #hash(expression: HashLiteral): Type {
    const fields = new Map<string, Type>()
    let isKnown = true
    for (const { key, value } of expression.entries) {
      const type = asPart(this.#infer(value))
      if (key.kind === 'computed') this.#infer(key.value)
      // A bare key is the value of a variable where there is one.
      if (key.kind === 'quoted' || (key.kind === 'bare' && this.#bindingOf(key.name) === 'unset'))
        fields.set(key.name, type)
      else isKnown = false
    }
    return isKnown ? { kind: 'record', fields, open: false, origin: expression.span } : { kind: 'hash', of: UNKNOWN }
  }

  // ---- filters ----------------------------------------------------------------------------------------------------

  #filtered({ input, filters }: Filtered): Type {
    return this.chain(this.#infer(input), filters, input)
  }

  /** The type that filters give of a value of the type; `source` is the piped value, where it is an expression. */
  chain(input: Type, filters: readonly FilterCall[], source: Expression | null): Type {
    let type = input
    let before = source
    for (const call of filters) {
      type = this.#note(call, this.#filter(call, type, before))
      before = null
    }
    return type
  }

  #filter(call: FilterCall, input: Type, source: Expression | null): Type {
    const positional = call.positional.map((each) => this.#infer(each))
    const named = call.named.map(({ name, value }): [string, Type] => [name.name, this.#infer(value)])
    const filter = this.#rules.filters.get(call.name.name)
    if (filter === undefined || !acceptsArity(call, filter)) return UNKNOWN
    const canonical = filter.aliasOf ?? filter.name
    const use = { input, positional, named: named.length === 0 ? null : new Map(named) }
    const refined = isRefined(canonical, call, use) ? refinedResult(canonical, use, filter.result) : filter.result
    const result = mayBeNil(filter.result) ? join(refined, NIL) : refined
    if (changesInput(filter)) {
      this.#change(source, canonical === 'hash_add_key' ? result : null)
      // What is put into it is held by it.
      for (const each of call.positional) this.#share(each)
      if (source !== null && positional.some(isMutable)) this.#share(source)
    }
    return this.#rejected(filter, result)
  }

  /** Where faults are printed, a filter that rejects what it is given gives nothing or false. */
  #rejected({ dialect, fallible, suspends }: FilterSignature, result: Type): Type {
    const { site } = this.#rules
    if (site.dialect !== 'platform' || dialect !== 'platform' || !(fallible || suspends)) return result
    if (site.raise || this.tries > 0) return result
    return members(result).some(({ kind }) => kind === 'boolean') ? join(result, BOOLEAN) : join(result, EMPTY)
  }

  /** A filter changes the hash that it is given. `same`: its type behind that, where the filter gives it back. */
  #change(source: Expression | null, same: Type | null): void {
    if (source?.kind === 'lookup' && source.name !== null && source.path.length === 0)
      this.#flow.change(source.name.name, same ?? UNKNOWN, true)
    // What a literal made is held by nobody else.
    else if (source === null || !this.isFresh(source)) this.#flow.forget()
  }

  // ---- who holds a value ------------------------------------------------------------------------------------------

  /** Somebody will hold the value, or parts of it. */
  #share(expression: Expression): void {
    switch (expression.kind) {
      case 'lookup':
        if (expression.name === null) this.#flow.shareAll()
        else this.#flow.share(expression.name.name)
        return
      case 'hash':
        for (const { value } of expression.entries) this.#share(value)
        return
      case 'array':
        for (const item of expression.items) this.#share(item)
        return
      case 'filtered':
        this.#share(expression.input)
        for (const { positional, named } of expression.filters)
          for (const each of [...positional, ...named.map(({ value }) => value)]) this.#share(each)
    }
  }

  /** Whether a value that was read is made here, so that nobody else can hold it or a part of it. */
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
      MAKES_NEW.has(canonical) &&
      expression.filters.length === 1 &&
      !isMutable(this.types.get(expression.input) ?? UNKNOWN)
    )
  }

  /** The type of a name as it is written to; it counts as read. */
  named(name: NameNode): Type {
    return this.#note(name, this.#flow.typeOf(name.name))
  }
}

/** The text of an index that is written as one. */
export function literalKey(expression: Expression): string | null {
  return expression.kind === 'literal' && expression.value.type === 'string' ? expression.value.value : null
}

function lacksPseudo(type: Type, key: string): boolean {
  if (type.kind === 'record') return !type.fields.has(key)
  return type.kind === 'hash' || (type.kind === 'string' && key !== 'size')
}

/** Whether more is surely known of what a filter gives than its signature says. */
function isRefined(filter: string, { positional }: FilterCall, { input, positional: types }: TypedFilterCall): boolean {
  if (OF_ANY.has(filter)) return true
  // Under these names elements also answer with what is no key of theirs.
  const readsProperty = positional.some((each) => PSEUDO.has(literalKey(each) ?? ''))
  return OF_ITEMS.has(filter) && !readsProperty && isFlatList(input) && types.every(isNoOpenList)
}

function mayBeNil(type: Type): boolean {
  return members(type).some(({ kind }) => kind === 'nil')
}

function isFlatList(type: Type): boolean {
  return (
    type.kind === 'list' &&
    !members(type.of).some(({ kind }) => kind === 'list' || kind === 'range' || kind === 'unknown')
  )
}

/** Whether a value is no list, or a list of what are none. */
function isNoOpenList(type: Type): boolean {
  return members(type).every((each) => each.kind !== 'unknown' && (each.kind !== 'list' || isFlatList(each)))
}
