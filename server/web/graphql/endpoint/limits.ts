/** Limits for operations of outside clients. They are checked on the parsed document before it is planned. */
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
import { toNumber } from '../../../../runtime/data/query/coerce.ts'
import type { Fields } from '../../../../runtime/page/services.ts'

export interface RequestLimits {
  /** Maximum number of levels of nested selections. */
  readonly depth: number
  /** Maximum number of fields. The fields of a fragment count for each spread. */
  readonly fields: number
  /** Maximum number of aliased fields. */
  readonly aliases: number
  /** Maximum number of fields at the top level. */
  readonly roots: number
  /** Maximum page size of one list. */
  readonly perPage: number
  /** Maximum number of rows that all lists together may return. The sizes of nested lists are multiplied. */
  readonly rows: number
  /** Maximum number of tokens in the document. */
  readonly tokens: number
  /** Timeout of the operation in seconds. */
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

/** Assumed rows of a related or remote list without a page size. */
const DEFAULT_RELATED_ROWS = 10
/** Assumed groups of an aggregation without a size. */
const DEFAULT_GROUPS = 200

/** The properties of an operation that are checked against scopes. */
export interface OperationDemand {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** The operation with only the fragments that it uses. */
  readonly document: DocumentNode
}

/** The result of checking a document. */
export type OperationAnalysis =
  | { readonly demand: OperationDemand }
  /** The operation exceeds a limit. The text describes the limit. */
  | { readonly refusal: string }
  /** The document is invalid or does not contain the operation. Planning reports this with more detail. */
  | { readonly unclear: true }

/** The cost of a selection. `widest` is the size of its largest list. */
interface Cost {
  readonly depth: number
  readonly fields: number
  readonly aliases: number
  readonly rows: number
  readonly widest: number
}

const NO_COST: Cost = { depth: 0, fields: 0, aliases: 0, rows: 0, widest: 0 }

/** The analysis of a document, and whether the analysis depends on the values of variables. */
interface DocumentReading {
  readonly analysis: OperationAnalysis
  readonly readsVariables: boolean
}

/** Caches analyses, because clients send the same few documents repeatedly. */
const ANALYSES = new WeakMap<RequestLimits, LRUCache<string, OperationAnalysis>>()
/** Estimated memory of a parsed document per character of its text. */
const BYTES_PER_CHARACTER = 40
const MAX_CACHE_BYTES = 16 * 1024 * 1024

function analysesFor(limits: RequestLimits): LRUCache<string, OperationAnalysis> {
  let analyses = ANALYSES.get(limits)
  if (analyses === undefined) {
    const sizeCalculation = (_: OperationAnalysis, key: string): number => key.length * BYTES_PER_CHARACTER + 1024
    analyses = new LRUCache({ max: 500, maxSize: MAX_CACHE_BYTES, sizeCalculation })
    ANALYSES.set(limits, analyses)
  }
  return analyses
}

/** Parses a document and checks it against the limits. */
export function analyzeRequest(
  document: string,
  operationName: string | null,
  variables: Fields,
  limits: RequestLimits = REQUEST_LIMITS,
): OperationAnalysis {
  const analyses = analysesFor(limits)
  const key = `${operationName ?? ''}\n${document}`
  const cachedAnalysis = analyses.get(key)
  if (cachedAnalysis !== undefined) return cachedAnalysis
  const { analysis, readsVariables } = analyze(document, operationName, variables, limits)
  if (!readsVariables) analyses.set(key, analysis)
  return analysis
}

function analyze(
  document: string,
  operationName: string | null,
  variables: Fields,
  limits: RequestLimits,
): DocumentReading {
  let parsedDocument: DocumentNode
  try {
    parsedDocument = parse(document, { noLocation: true, maxTokens: limits.tokens })
  } catch (error) {
    return { analysis: analyzeParseError(error, limits), readsVariables: false }
  }
  const operations = parsedDocument.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const operation =
    operationName === null
      ? operations.length === 1
        ? operations[0]
        : undefined
      : operations.find((each) => each.name?.value === operationName)
  if (operation === undefined) return { analysis: { unclear: true }, readsVariables: false }
  const counter = new CostCounter(parsedDocument, variables, operation, limits)
  const analysis = checkLimits(counter, parsedDocument, operation, limits)
  return { analysis, readsVariables: counter.readsVariables }
}

function analyzeParseError(error: unknown, limits: RequestLimits): OperationAnalysis {
  if (error instanceof GraphQLError && /contains more tha[nt] \d+ tokens/.test(error.message))
    return { refusal: `The query has more than ${limits.tokens} words and signs` }
  if (error instanceof RangeError) return { refusal: `The query has more than ${limits.depth} levels` }
  return { unclear: true }
}

function checkLimits(
  counter: CostCounter,
  parsedDocument: DocumentNode,
  operation: OperationDefinitionNode,
  limits: RequestLimits,
): OperationAnalysis {
  try {
    const roots = counter.rootNames(operation.selectionSet)
    const refusal = findExceededLimit(counter.cost(operation.selectionSet), roots, limits)
    if (refusal !== null) return { refusal }
    const used = parsedDocument.definitions.filter(
      (each) => each === operation || (each.kind === Kind.FRAGMENT_DEFINITION && counter.spread.has(each.name.value)),
    )
    return { demand: { kind: operation.operation, document: { ...parsedDocument, definitions: used } } }
  } catch (error) {
    if (error instanceof RangeError) return { refusal: `The query has more than ${limits.depth} levels` }
    throw error
  }
}

function findExceededLimit(cost: Cost, roots: readonly string[], limits: RequestLimits): string | null {
  const formatCount = (number: number): string => number.toLocaleString('en')
  if (cost.depth > limits.depth) return `The query has ${cost.depth} levels: at most ${limits.depth} are allowed`
  if (cost.fields > limits.fields) return `The query asks for more than ${formatCount(limits.fields)} fields`
  if (cost.aliases > limits.aliases) return `The query has more than ${formatCount(limits.aliases)} aliases`
  if (roots.length > limits.roots) return `The query has more than ${limits.roots} fields at the top level`
  if (cost.widest > limits.perPage)
    return `The query requests a list of ${formatCount(cost.widest)} rows: at most ${formatCount(limits.perPage)} are allowed per page, so request more pages`
  if (cost.rows > limits.rows)
    return `The query can return more than ${formatCount(limits.rows)} rows: request smaller pages or fewer lists`
  return null
}

/** Computes the cost of an operation. The cost of a fragment is computed once, however often it is spread. */
class CostCounter {
  /** Names of the fragments in use. */
  readonly spread = new Set<string>()
  /** Whether the cost depends on the value of a variable. */
  readsVariables = false
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #costs = new Map<string, Cost>()
  readonly #activeFragments = new Set<string>()
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
    let total = NO_COST
    for (const each of set.selections) {
      const cost =
        each.kind === Kind.FIELD
          ? this.#fieldCost(each)
          : each.kind === Kind.INLINE_FRAGMENT
            ? this.cost(each.selectionSet)
            : this.#fragmentCost(each.name.value)
      total = {
        depth: Math.max(total.depth, cost.depth),
        fields: total.fields + cost.fields,
        aliases: total.aliases + cost.aliases,
        rows: total.rows + cost.rows,
        widest: Math.max(total.widest, cost.widest),
      }
    }
    return total
  }

  /** Returns the names of the top-level fields, including those in fragments. */
  rootNames(set: SelectionSetNode, seenFragments: Set<string> = new Set()): string[] {
    return set.selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each.name.value]
      if (each.kind === Kind.INLINE_FRAGMENT) return this.rootNames(each.selectionSet, seenFragments)
      const fragment = this.#fragments.get(each.name.value)
      if (fragment === undefined || seenFragments.has(each.name.value)) return []
      seenFragments.add(each.name.value)
      return this.rootNames(fragment.selectionSet, seenFragments)
    })
  }

  #fieldCost(node: FieldNode): Cost {
    const selectionCost = node.selectionSet === undefined ? NO_COST : this.cost(node.selectionSet)
    const size = this.#listSize(node)
    const groups = this.#countFieldGroups(node)
    return {
      depth: selectionCost.depth + 1,
      fields: selectionCost.fields + 1,
      aliases: selectionCost.aliases + (node.alias === undefined ? 0 : 1),
      rows: (size === null ? selectionCost.rows : size * (1 + selectionCost.rows)) + groups.rows,
      widest: Math.max(size ?? 0, selectionCost.widest, groups.widest),
    }
  }

  /** Counts the groups that the aggregations of a search may return. Nested aggregations count once per outer group. */
  #countFieldGroups(node: FieldNode): Groups {
    const argument = node.arguments?.find(({ name }) => name.value === 'aggregations')
    if (argument === undefined) return NO_GROUPS
    this.readsVariables = true
    return countGroups(valueFromASTUntyped(argument.value, this.#variables), this.#limits)
  }

  // Returns the cost of a fragment. A fragment that spreads itself is refused later, when the operation is planned.
  #fragmentCost(name: string): Cost {
    this.spread.add(name)
    const cachedCost = this.#costs.get(name)
    const node = this.#fragments.get(name)
    if (cachedCost !== undefined || node === undefined || this.#activeFragments.has(name)) return cachedCost ?? NO_COST
    this.#activeFragments.add(name)
    const cost = this.cost(node.selectionSet)
    this.#activeFragments.delete(name)
    this.#costs.set(name, cost)
    return cost
  }

  /** Returns the largest number of rows that a list can return, or null when the field is not a list. */
  #listSize(node: FieldNode): number | null {
    for (const { name, value } of node.arguments ?? []) {
      if (name.value !== 'per_page' && name.value !== 'limit') continue
      const requestedRows = this.#readNumber(value)
      if (requestedRows !== null) return requestedRows
    }
    return /^(?:related|remote)_[a-z]+s$/.test(node.name.value) ? DEFAULT_RELATED_ROWS : null
  }

  #readNumber(value: ValueNode): number | null {
    if (value.kind !== Kind.VARIABLE) return this.#readLiteral(value)
    this.readsVariables = true
    const name = value.name.value
    const suppliedValue = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined
    // An explicit null selects the default page size.
    if (suppliedValue === null && !this.#required.has(name)) return null
    const number = toNumber(suppliedValue)
    if (!Number.isNaN(number)) return clamp(number, this.#limits)
    const defaultValue = this.#defaults.get(name)
    return defaultValue === undefined ? null : this.#readLiteral(defaultValue)
  }

  #readLiteral(value: ValueNode): number | null {
    if (value.kind !== Kind.INT && value.kind !== Kind.FLOAT && value.kind !== Kind.STRING) return null
    const number = toNumber(value.value)
    return Number.isNaN(number) ? null : clamp(number, this.#limits)
  }
}

/** The groups of aggregations. `widest` is the largest number of groups in one aggregation. */
interface Groups {
  readonly rows: number
  readonly widest: number
}

const NO_GROUPS: Groups = { rows: 0, widest: 0 }

/** Counts the groups of a `ListingAggregation` or `AggregationField` object, or of a list of them. */
function countGroups(value: unknown, limits: RequestLimits): Groups {
  if (typeof value !== 'object' || value === null) return NO_GROUPS
  if (Array.isArray(value)) {
    const counts = value.map((item) => countGroups(item, limits))
    return {
      rows: counts.reduce((sum, { rows }) => sum + rows, 0),
      widest: counts.reduce((most, { widest }) => Math.max(most, widest), 0),
    }
  }
  const { fields, aggregations, size, type }: { [key in 'fields' | 'aggregations' | 'size' | 'type']?: unknown } = value
  if (fields !== undefined) return countGroups(fields, limits)
  if (type === 'avg' || type === 'max' || type === 'min') return { rows: 1, widest: 0 }
  const nestedGroups = countGroups(aggregations, limits)
  const requestedSize = toNumber(size)
  const groups = clamp(Number.isNaN(requestedSize) ? DEFAULT_GROUPS : requestedSize, limits)
  return { rows: groups * (1 + nestedGroups.rows), widest: Math.max(groups, nestedGroups.widest) }
}

// Limits a cost. All costs far above the limits are equal, and the clamp avoids overflow in products.
function clamp(value: number, limits: RequestLimits): number {
  return Math.min(Math.max(0, Math.trunc(value) || 0), limits.rows * 10)
}
