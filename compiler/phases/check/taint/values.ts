/** What values hold of what came from outside, and what conditions prove. */
import { type Accessor, type Expression, type FilterCall, type Lookup, unfiltered } from '../../../core/model/ast.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { CHANGES } from './changes.ts'
import {
  AUTHORED,
  changed,
  ELEMENT,
  type Flow,
  isEmpty,
  join,
  listFlow,
  NOTHING,
  partOf,
  type Proof,
  recordFlow,
} from './flow.ts'
import { concatenated, filtered } from './filters.ts'
import { contextFlow } from './sources.ts'
import type { State } from './state.ts'

export interface ValueRules {
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly safeTranslate: boolean
}

export class TaintValues {
  readonly #rules: ValueRules
  readonly #state: State

  constructor(rules: ValueRules, state: State) {
    this.#rules = rules
    this.#state = state
  }

  read(expression: Expression): Flow {
    switch (expression.kind) {
      case 'literal':
        return literalText(expression) === null || literalText(expression) === '' ? NOTHING : AUTHORED
      case 'lookup':
        return this.#lookup(expression)
      case 'range':
        return NOTHING
      case 'interpolation':
        return concatenated(
          expression.parts.map((part) =>
            typeof part === 'string' ? (part === '' ? NOTHING : AUTHORED) : this.read(part),
          ),
        )
      case 'hash':
        return this.#hash(expression)
      case 'array':
        return listFlow(
          expression.items.map((item) => this.read(item)).reduce((one, other) => join(one, other), NOTHING),
        )
      case 'comparison':
      case 'logical': {
        const [proof] = this.proofs(expression, true)
        return proof === undefined ? NOTHING : { ...NOTHING, proof }
      }
      case 'filtered':
        return expression.filters.reduce<Flow>(
          (flow, filter, at) => this.filter(flow, filter, at === 0 ? expression.input : null),
          this.read(expression.input),
        )
    }
  }

  #hash(expression: Extract<Expression, { kind: 'hash' }>): Flow {
    const fields = new Map<string, Flow>()
    let items: Flow | null = null
    for (const { key, value } of expression.entries) {
      const flow = this.read(value)
      if (key.kind === 'computed') items = items === null ? flow : join(items, flow)
      else fields.set(key.name, flow)
    }
    return recordFlow(fields, items)
  }

  #lookup(lookup: Lookup): Flow {
    const { name, path, span } = lookup
    if (name === null) return NOTHING
    const place = placeOf(lookup)
    const flow =
      name.name === 'context' || (name.name === 'platform_context' && !this.#state.isSet(name.name))
        ? contextFlow(path.map(keyOf), wordsOf(lookup), span)
        : path.reduce<Flow>((whole, accessor) => part(whole, keyOf(accessor)), this.#state.variable(name.name))
    if (isEmpty(flow)) return flow
    const proven = place === null ? null : this.#state.provenOf(place)
    return proven === null ? flow : changed(flow, proven)
  }

  /** `input`: what the filter is applied to, where that is written before it. */
  filter(flow: Flow, { name: { name: written }, positional, named }: FilterCall, input: Expression | null): Flow {
    const signature = this.#rules.filters.get(written)
    const name = signature?.aliasOf ?? written
    const args = positional.map((each) => this.read(each))
    const proof = input === null ? null : proofOf(name, input, positional, args, flow)
    if (proof !== null) return { ...NOTHING, proof }
    return filtered({
      signature,
      name,
      input: flow,
      positional: args,
      named: new Map(named.map((each) => [each.name.name, this.read(each.value)])),
      literals: positional.map(literalText),
      isSet: (option) =>
        named.some((each) => each.name.name === option && !(each.value.kind === 'literal' && isFalse(each.value))),
      safeTranslate: this.#rules.safeTranslate,
    })
  }

  // ---- conditions -------------------------------------------------------------------------------------------------

  /** What is known where a condition holds, or where it does not. */
  proofs(expression: Expression, holds: boolean): readonly Proof[] {
    const bare = unfiltered(expression)
    if (bare.kind === 'lookup') {
      const place = placeOf(bare)
      if (place === null) return []
      // What counts as false prints nothing.
      if (!holds) return [{ place, change: CHANGES.clean }]
      const { proof } = bare.path.length === 0 ? this.#state.variable(place) : NOTHING
      return proof === null ? [] : [proof]
    }
    if (bare.kind === 'logical') {
      const [left, right] = [this.proofs(bare.left, holds), this.proofs(bare.right, holds)]
      if ((bare.operator === 'and') === holds) return [...left, ...right]
      // One of the two holds: only what both prove is known.
      return left.filter((one) => right.some((other) => other.place === one.place && other.change === one.change))
    }
    if (bare.kind !== 'comparison') return []
    const { operator, left, right } = bare
    if (operator === 'contains') return holds && isEmpty(this.read(left)) ? this.#clean(right) : []
    if (operator !== (holds ? '==' : '!=')) return []
    return [
      ...(isEmpty(this.read(right)) ? this.#clean(left) : []),
      ...(isEmpty(this.read(left)) ? this.#clean(right) : []),
    ]
  }

  #clean(expression: Expression): readonly Proof[] {
    const bare = unfiltered(expression)
    const place = bare.kind === 'lookup' ? placeOf(bare) : null
    return place === null ? [] : [{ place, change: CHANGES.clean }]
  }
}

function part(flow: Flow, key: string | null): Flow {
  if (key === 'size' || ((key === '0' || key === '1') && flow.fields?.has(key) === true))
    return flow.fields?.get(key) ?? NOTHING
  return partOf(flow, key === null || key === 'first' || key === 'last' || /^-?\d+$/.test(key) ? ELEMENT : key)
}

/** The key that an accessor names; null where it is computed. */
export function keyOf(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  const { value } = accessor
  if (value.kind !== 'literal') return null
  return value.value.type === 'integer' ? String(value.value.value) : literalText(value)
}

export function literalText(expression: Expression): string | null {
  const bare = unfiltered(expression)
  return bare.kind === 'literal' && bare.value.type === 'string' ? bare.value.value : null
}

function isFalse(expression: Extract<Expression, { kind: 'literal' }>): boolean {
  const { value } = expression
  return value.type === 'nil' || (value.type === 'boolean' && !value.value)
}

/** A place in a variable that is the same whenever it is read; null for one with computed keys. */
export function placeOf({ name, path }: Lookup): string | null {
  const keys = path.map(keyOf)
  if (name === null || keys.includes(null)) return null
  return [name.name, ...keys].join('.')
}

function wordsOf({ name, path }: Lookup): string {
  return [name?.name ?? '', ...path.map((accessor) => keyOf(accessor) ?? '[…]')].join('.').replaceAll('.[…]', '[…]')
}

/** What a filter that gives a boolean proves of what it is applied to. */
function proofOf(
  filter: string,
  input: Expression,
  positional: readonly Expression[],
  args: readonly Flow[],
  flow: Flow,
): Proof | null {
  const [first] = positional
  if (first === undefined) return null
  if (filter === 'array_include') {
    const place = first.kind === 'lookup' ? placeOf(first) : null
    return place === null || !isEmpty(flow) ? null : { place, change: CHANGES.clean }
  }
  const bare = unfiltered(input)
  const place = bare.kind === 'lookup' ? placeOf(bare) : null
  const text = literalText(first)
  if (place === null || text === null || text === '' || !isEmpty(args[0] ?? NOTHING)) return null
  if (filter === 'start_with') return { place, change: CHANGES.scheme }
  if (filter !== 'matches' || !/^(?:\^|\\A)/.test(text)) return null
  const isWhole = /(?:\$|\\z)$/i.test(text) && !/\.(?![^[]*\])|\\[SDW]|\[\^/.test(text)
  return { place, change: isWhole ? CHANGES.clean : CHANGES.scheme }
}
