/** Limits for operations of outside clients. They are checked on the document before it is planned. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { numberFrom } from '../../../../runtime/data/query/coerce.ts'
import type { Fields } from '../../../../runtime/page/services.ts'

export interface RequestLimits {
  /** Levels of nested selections. */
  readonly depth: number
  /** Number of fields; those of a fragment count wherever it is spread. */
  readonly fields: number
  /** Number of aliased fields. */
  readonly aliases: number
  /** Number of fields at the top level. */
  readonly roots: number
  /** Page size of one list. */
  readonly perPage: number
  /** Rows that all lists together may return; nested lists multiply. */
  readonly rows: number
  /** Number of tokens in the document. */
  readonly tokens: number
  /** In seconds. */
  readonly time: number
}

export const REQUEST_LIMITS: RequestLimits = {
  depth: 20,
  fields: 2_000,
  aliases: 500,
  roots: 50,
  perPage: 10_000,
  rows: 100_000,
  tokens: 20_000,
  time: 60,
}

/** Assumed rows of a list without a page size. */
const UNSIZED = 10
/** Groups of an aggregation without a size. */
const UNSIZED_GROUPS = 200

/** What an operation asks for, checked against rights and limits. */
export interface OperationDemand {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** The operation with only the fragments that it uses. */
  readonly document: DocumentNode
}

export type OperationAnalysis =
  | { readonly wanted: OperationDemand }
  /** It exceeds a limit; the sentence says which. */
  | { readonly refusal: string }
  /** The document is invalid or does not contain the operation; planning reports that better. */
  | { readonly unclear: true }

interface Cost {
  readonly depth: number
  readonly fields: number
  readonly aliases: number
  readonly rows: number
  readonly widest: number
}

const NOTHING: Cost = { depth: 0, fields: 0, aliases: 0, rows: 0, widest: 0 }

/** What was read of a document, and whether other variables would give something else. */
interface Reading {
  readonly analysis: OperationAnalysis
  readonly readsVariables: boolean
}

/** Clients send the same few documents again and again. */
const READINGS = new WeakMap<RequestLimits, LRUCache<string, OperationAnalysis>>()
/** A document takes many times the memory of its text. */
const WEIGHT = 40
const MAX_WEIGHT = 16 * 1024 * 1024

function readingsOf(limits: RequestLimits): LRUCache<string, OperationAnalysis> {
  let readings = READINGS.get(limits)
  if (readings === undefined) {
    const sizeCalculation = (_: OperationAnalysis, key: string): number => key.length * WEIGHT + 1024
    readings = new LRUCache({ max: 500, maxSize: MAX_WEIGHT, sizeCalculation })
    READINGS.set(limits, readings)
  }
  return readings
}

/** Reads a document and checks it against the limits. */
export function readRequest(
  document: string,
  operationName: string | null,
  variables: Fields,
  limits: RequestLimits = REQUEST_LIMITS,
): OperationAnalysis {
  const readings = readingsOf(limits)
  const key = `${operationName ?? ''}\n${document}`
  const known = readings.get(key)
  if (known !== undefined) return known
  const { analysis, readsVariables } = read(document, operationName, variables, limits)
  if (!readsVariables) readings.set(key, analysis)
  return analysis
}

function read(document: string, operationName: string | null, variables: Fields, limits: RequestLimits): Reading {
  let parsed: DocumentNode
  try {
    parsed = parse(document, { noLocation: true, maxTokens: limits.tokens })
  } catch (error) {
    return { analysis: unreadable(error, limits), readsVariables: false }
  }
  const operations = parsed.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const operation =
    operationName === null
      ? operations.length === 1
        ? operations[0]
        : undefined
      : operations.find((each) => each.name?.value === operationName)
  if (operation === undefined) return { analysis: { unclear: true }, readsVariables: false }
  const walk = new CostCounter(parsed, variables, operation, limits)
  const analysis = demandOf(walk, parsed, operation, limits)
  return { analysis, readsVariables: walk.readsVariables }
}

function unreadable(error: unknown, limits: RequestLimits): OperationAnalysis {
  if (error instanceof GraphQLError && /contains more tha[nt] \d+ tokens/.test(error.message))
    return { refusal: `The query has more than ${limits.tokens} words and signs` }
  if (error instanceof RangeError) return { refusal: `The query has more than ${limits.depth} levels` }
  return { unclear: true }
}

function demandOf(
  walk: CostCounter,
  parsed: DocumentNode,
  operation: OperationDefinitionNode,
  limits: RequestLimits,
): OperationAnalysis {
  try {
    const roots = walk.roots(operation.selectionSet)
    const refusal = refusalOf(walk.cost(operation.selectionSet), roots, limits)
    if (refusal !== null) return { refusal }
    const used = parsed.definitions.filter(
      (each) => each === operation || (each.kind === Kind.FRAGMENT_DEFINITION && walk.spread.has(each.name.value)),
    )
    return { wanted: { kind: operation.operation, document: { ...parsed, definitions: used } } }
  } catch (error) {
    if (error instanceof RangeError) return { refusal: `The query has more than ${limits.depth} levels` }
    throw error
  }
}

function refusalOf(cost: Cost, roots: readonly string[], limits: RequestLimits): string | null {
  const count = (what: number): string => what.toLocaleString('en')
  if (cost.depth > limits.depth) return `The query has ${cost.depth} levels: at most ${limits.depth} are answered`
  if (cost.fields > limits.fields) return `The query asks for more than ${count(limits.fields)} fields`
  if (cost.aliases > limits.aliases) return `The query has more than ${count(limits.aliases)} aliases`
  if (roots.length > limits.roots) return `The query has more than ${limits.roots} fields at its top`
  if (cost.widest > limits.perPage)
    return `A list of ${count(cost.widest)} rows is asked for: at most ${count(limits.perPage)} are given at once, so ask for them in pages`
  if (cost.rows > limits.rows)
    return `The query can give more than ${count(limits.rows)} rows: ask for fewer a page, or in fewer lists`
  return null
}

/** Computes the cost of each fragment once, however often it is spread. */
class CostCounter {
  /** Names of the fragments in use. */
  readonly spread = new Set<string>()
  /** Whether a cost went by the value of a variable. */
  readsVariables = false
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #costs = new Map<string, Cost>()
  readonly #open = new Set<string>()
  readonly #variables: Fields
  readonly #defaults: ReadonlyMap<string, ValueNode>
  /** Variables that are never null, so that their default does not apply. */
  readonly #required: ReadonlySet<string>
  readonly #limits: RequestLimits

  constructor(document: DocumentNode, variables: Fields, operation: OperationDefinitionNode, limits: RequestLimits) {
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map((each) => [each.name.value, each]))
    this.#variables = variables
    this.#defaults = new Map(
      (operation.variableDefinitions ?? []).flatMap((each) =>
        each.defaultValue === undefined ? [] : [[each.variable.name.value, each.defaultValue] as const],
      ),
    )
    this.#required = new Set(
      (operation.variableDefinitions ?? []).flatMap((each) =>
        each.type.kind === Kind.NON_NULL_TYPE ? [each.variable.name.value] : [],
      ),
    )
    this.#limits = limits
  }

  cost(set: SelectionSetNode): Cost {
    let total = NOTHING
    for (const each of set.selections) {
      const part =
        each.kind === Kind.FIELD
          ? this.#field(each)
          : each.kind === Kind.INLINE_FRAGMENT
            ? this.cost(each.selectionSet)
            : this.#fragment(each.name.value)
      total = {
        depth: Math.max(total.depth, part.depth),
        fields: total.fields + part.fields,
        aliases: total.aliases + part.aliases,
        rows: total.rows + part.rows,
        widest: Math.max(total.widest, part.widest),
      }
    }
    return total
  }

  /** Names of the top-level fields, including those in fragments. */
  roots(set: SelectionSetNode, seen: Set<string> = new Set()): string[] {
    return set.selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each.name.value]
      if (each.kind === Kind.INLINE_FRAGMENT) return this.roots(each.selectionSet, seen)
      const fragment = this.#fragments.get(each.name.value)
      if (fragment === undefined || seen.has(each.name.value)) return []
      seen.add(each.name.value)
      return this.roots(fragment.selectionSet, seen)
    })
  }

  #field(node: FieldNode): Cost {
    const inner = node.selectionSet === undefined ? NOTHING : this.cost(node.selectionSet)
    const size = this.#size(node)
    const groups = this.#groups(node)
    return {
      depth: inner.depth + 1,
      fields: inner.fields + 1,
      aliases: inner.aliases + (node.alias === undefined ? 0 : 1),
      rows: (size === null ? inner.rows : size * (1 + inner.rows)) + groups.rows,
      widest: Math.max(size ?? 0, inner.widest, groups.widest),
    }
  }

  /** What the aggregations of a search may count: nested ones count for each group around them. */
  #groups(node: FieldNode): Groups {
    const given = node.arguments?.find(({ name }) => name.value === 'aggregations')
    if (given === undefined) return NO_GROUPS
    this.readsVariables = true
    return groupsOf(valueFromASTUntyped(given.value, this.#variables), this.#limits)
  }

  // A fragment that spreads itself is refused when the operation is planned.
  #fragment(name: string): Cost {
    this.spread.add(name)
    const known = this.#costs.get(name)
    const node = this.#fragments.get(name)
    if (known !== undefined || node === undefined || this.#open.has(name)) return known ?? NOTHING
    this.#open.add(name)
    const cost = this.cost(node.selectionSet)
    this.#open.delete(name)
    this.#costs.set(name, cost)
    return cost
  }

  /** Most rows that a list returns; null when the field is not a list. */
  #size(node: FieldNode): number | null {
    for (const { name, value } of node.arguments ?? []) {
      if (name.value !== 'per_page' && name.value !== 'limit') continue
      const given = this.#number(value)
      if (given !== null) return given
    }
    return /^related_[a-z]+s$/.test(node.name.value) ? UNSIZED : null
  }

  #number(value: ValueNode): number | null {
    if (value.kind !== Kind.VARIABLE) return this.#literal(value)
    this.readsVariables = true
    const name = value.name.value
    const given = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined
    // Without a size, the list has a page of the default size.
    if (given === null && !this.#required.has(name)) return null
    const number = numberFrom(given)
    if (!Number.isNaN(number)) return clamp(number, this.#limits)
    const standard = this.#defaults.get(name)
    return standard === undefined ? null : this.#literal(standard)
  }

  #literal(value: ValueNode): number | null {
    if (value.kind !== Kind.INT && value.kind !== Kind.FLOAT && value.kind !== Kind.STRING) return null
    const number = numberFrom(value.value)
    return Number.isNaN(number) ? null : clamp(number, this.#limits)
  }
}

interface Groups {
  readonly rows: number
  readonly widest: number
}

const NO_GROUPS: Groups = { rows: 0, widest: 0 }

/** The groups of `ListingAggregation` and `AggregationField` objects, or lists of them. */
function groupsOf(value: unknown, limits: RequestLimits): Groups {
  if (typeof value !== 'object' || value === null) return NO_GROUPS
  if (Array.isArray(value)) {
    const each = value.map((one) => groupsOf(one, limits))
    return {
      rows: each.reduce((sum, { rows }) => sum + rows, 0),
      widest: each.reduce((most, { widest }) => Math.max(most, widest), 0),
    }
  }
  const { fields, aggregations, size, type }: { [key in 'fields' | 'aggregations' | 'size' | 'type']?: unknown } = value
  if (fields !== undefined) return groupsOf(fields, limits)
  if (type === 'avg' || type === 'max' || type === 'min') return { rows: 1, widest: 0 }
  const inner = groupsOf(aggregations, limits)
  const asked = numberFrom(size)
  const own = clamp(Number.isNaN(asked) ? UNSIZED_GROUPS : asked, limits)
  return { rows: own * (1 + inner.rows), widest: Math.max(own, inner.widest) }
}

// All costs far above the limits are equal; clamping avoids overflow in products.
function clamp(value: number, limits: RequestLimits): number {
  return Math.min(Math.max(0, Math.trunc(value) || 0), limits.rows * 10)
}
