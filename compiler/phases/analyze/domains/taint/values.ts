/** Computes the taints of expressions, and the facts that conditions prove. */
import {
  type Accessor,
  type Expression,
  type FilterCall,
  type Lookup,
  unfiltered,
  stringOf,
} from '../../../../core/tree/ast.ts'
import { evaluate, type ExpressionCases } from '../../../../core/tree/expressions.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import {
  AUTHORED,
  changeFlow,
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
import { concatenateFlows, applyFilter } from './filters.ts'
import { contextFlow } from './sources.ts'
import type { State } from './state.ts'

export interface ValueRules {
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly safeTranslate: boolean
  /** Returns the marked place of a read in the template. */
  readonly placeOfRead: (span: Span) => Span
}

export class TaintValues {
  readonly #rules: ValueRules
  readonly #state: State

  constructor(rules: ValueRules, state: State) {
    this.#rules = rules
    this.#state = state
  }

  read(expression: Expression): Flow {
    return evaluate(expression, this.#cases)
  }

  readonly #cases: ExpressionCases<Flow> = {
    literal: (expression) => (literalText(expression) === null || literalText(expression) === '' ? NOTHING : AUTHORED),
    lookup: (lookup) => this.#lookup(lookup),
    range: () => NOTHING,
    interpolation: ({ parts }) =>
      concatenateFlows(
        parts.map((part) => (typeof part === 'string' ? (part === '' ? NOTHING : AUTHORED) : this.read(part))),
      ),
    hash: ({ entries }) => {
      const fields = new Map<string, Flow>()
      let items: Flow | null = null
      for (const { key, value } of entries) {
        const flow = this.read(value)
        if (key.kind === 'computed') items = items === null ? flow : join(items, flow)
        else fields.set(key.name, flow)
      }
      return recordFlow(fields, items)
    },
    array: ({ items }) =>
      listFlow(items.map((item) => this.read(item)).reduce((one, other) => join(one, other), NOTHING)),
    comparison: (expression) => this.#truth(expression),
    logical: (expression) => this.#truth(expression),
    filtered: ({ input, filters }) =>
      filters.reduce<Flow>((flow, filter, at) => this.filter(flow, filter, at === 0 ? input : null), this.read(input)),
  }

  #truth(expression: Expression): Flow {
    const [proof] = this.proofs(expression, true)
    return proof === undefined ? NOTHING : { ...NOTHING, proof }
  }

  #lookup(lookup: Lookup): Flow {
    const { name, path, span } = lookup
    if (name === null) return NOTHING
    const flow =
      name.name === 'context' || (name.name === 'platform_context' && !this.#state.isSet(name.name))
        ? contextFlow(path.map(keyOf), displayText(lookup), this.#rules.placeOfRead(span))
        : path.reduce<Flow>((whole, accessor) => accessPart(whole, keyOf(accessor)), this.#state.variable(name.name))
    if (isEmpty(flow) || !this.#state.hasProofs) return flow
    const place = placeOf(lookup)
    const provenChange = place === null ? null : this.#state.provenChange(place)
    return provenChange === null ? flow : changeFlow(flow, provenChange)
  }

  /** `input`: the expression that the filter is applied to; null after another filter. */
  filter(flow: Flow, { name: { name: writtenName }, positional, named }: FilterCall, input: Expression | null): Flow {
    const signature = this.#rules.filters.get(writtenName)
    const name = signature?.aliasOf ?? writtenName
    const args = positional.map((each) => this.read(each))
    const proof = input === null ? null : proofOf(name, input, positional, args, flow)
    if (proof !== null) return { ...NOTHING, proof }
    return applyFilter({
      signature,
      name,
      input: flow,
      positional: args,
      namedFlows: new Map(named.map((each) => [each.name.name, this.read(each.value)])),
      literals: positional.map(literalText),
      isSet: (option) =>
        named.some((each) => each.name.name === option && !(each.value.kind === 'literal' && isFalse(each.value))),
      safeTranslate: this.#rules.safeTranslate,
    })
  }

  // ---- conditions -------------------------------------------------------------------------------------------------

  /** Returns the proofs for the branch where a condition is true (`holds`) or false. */
  proofs(expression: Expression, holds: boolean): readonly Proof[] {
    const bareExpression = unfiltered(expression)
    if (bareExpression.kind === 'lookup') {
      const place = placeOf(bareExpression)
      if (place === null) return []
      // A value that is false or nil prints nothing.
      if (!holds) return [{ place, change: 'clean' }]
      const { proof } = bareExpression.path.length === 0 ? this.#state.variable(place) : NOTHING
      return proof === null ? [] : [proof]
    }
    if (bareExpression.kind === 'logical') {
      const [left, right] = [this.proofs(bareExpression.left, holds), this.proofs(bareExpression.right, holds)]
      if ((bareExpression.operator === 'and') === holds) return [...left, ...right]
      // It is not known which side is true. Only what both sides prove is certain.
      return left.filter((one) => right.some((other) => other.place === one.place && other.change === one.change))
    }
    if (bareExpression.kind !== 'comparison') return []
    const { operator, left, right } = bareExpression
    if (operator === 'contains') return holds && isEmpty(this.read(left)) ? this.#cleanProofs(right) : []
    if (operator !== (holds ? '==' : '!=')) return []
    return [
      ...(isEmpty(this.read(right)) ? this.#cleanProofs(left) : []),
      ...(isEmpty(this.read(left)) ? this.#cleanProofs(right) : []),
    ]
  }

  #cleanProofs(expression: Expression): readonly Proof[] {
    const bareExpression = unfiltered(expression)
    const place = bareExpression.kind === 'lookup' ? placeOf(bareExpression) : null
    return place === null ? [] : [{ place, change: 'clean' }]
  }
}

function accessPart(flow: Flow, key: string | null): Flow {
  if (key === 'size' || ((key === '0' || key === '1') && flow.fields?.has(key) === true))
    return flow.fields?.get(key) ?? NOTHING
  return partOf(flow, key === null || key === 'first' || key === 'last' || /^-?\d+$/.test(key) ? ELEMENT : key)
}

/** Returns the key of an accessor; null if it is computed. */
export function keyOf(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  const { value } = accessor
  if (value.kind !== 'literal') return null
  return value.value.type === 'integer' ? String(value.value.value) : literalText(value)
}

export function literalText(expression: Expression): string | null {
  return stringOf(unfiltered(expression))
}

function isFalse(expression: Extract<Expression, { kind: 'literal' }>): boolean {
  const { value } = expression
  return value.type === 'nil' || (value.type === 'boolean' && !value.value)
}

/** Returns the dotted path of a lookup; null if a key is computed or the lookup has no name. */
export function placeOf({ name, path }: Lookup): string | null {
  const keys = path.map(keyOf)
  if (name === null || keys.includes(null)) return null
  return [name.name, ...keys].join('.')
}

function displayText({ name, path }: Lookup): string {
  return [name?.name ?? '', ...path.map((accessor) => keyOf(accessor) ?? '[…]')].join('.').replaceAll('.[…]', '[…]')
}

/** Returns what a true result of a boolean filter proves; null if it proves nothing. */
function proofOf(
  filter: string,
  input: Expression,
  positional: readonly Expression[],
  args: readonly Flow[],
  flow: Flow,
): Proof | null {
  const [firstExpression] = positional
  if (firstExpression === undefined) return null
  if (filter === 'array_include') {
    const place = firstExpression.kind === 'lookup' ? placeOf(firstExpression) : null
    return place === null || !isEmpty(flow) ? null : { place, change: 'clean' }
  }
  const bareExpression = unfiltered(input)
  const place = bareExpression.kind === 'lookup' ? placeOf(bareExpression) : null
  const text = literalText(firstExpression)
  if (place === null || text === null || text === '' || !isEmpty(args[0] ?? NOTHING)) return null
  if (filter === 'start_with') return { place, change: 'scheme' }
  if (filter !== 'matches' || !/^(?:\^|\\A)/.test(text)) return null
  const isWhole = /(?:\$|\\z)$/i.test(text) && !/\.(?![^[]*\])|\\[SDW]|\[\^/.test(text)
  return { place, change: isWhole ? 'clean' : 'scheme' }
}
