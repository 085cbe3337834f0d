/** Finds the mutations that templates run, directly or through calls. */
import type { CheckedSite } from './site-rule.ts'
import { type Operation, type SchemaResultType, storedNamed } from '../../../core/model/operation.ts'
import type { OutgoingCall, OutgoingQuery } from '../walk/facts.ts'
import type { Span } from '../../../core/source/span.ts'

/** A mutation that a template runs, directly or through calls. */
interface Action {
  /** The field of the mutation: `record_delete`. */
  readonly field: string
  /** The query or call in the template that leads to the mutation. */
  readonly from: Span
  /** The query that runs the mutation. */
  readonly span: Span
}

/** The part of a checked site that tells which mutations run. */
type ActionInput = Pick<CheckedSite, 'operations' | 'factsOf'>

/** Fields of mutations that change records or users. */
const DATA_CHANGE = /(?:^|_)(?:create|update|delete|restore)(?:_|$)/
/** Exceptions from `DATA_CHANGE`: sessions, and fields that send, log or count. */
const NOT_DATA_CHANGE = /session|token|hcaptcha|api_call|email|sms|presign|upload|activit|event|log/

/** Returns whether a field of mutations changes records or users. */
export function changesData(field: string): boolean {
  return DATA_CHANGE.test(field) && !NOT_DATA_CHANGE.test(field)
}

/** Returns the operations that a query definitely runs; empty when they are not known. */
export function operationsOf(
  { operations }: Pick<CheckedSite, 'operations'>,
  { names, open, inline, span }: OutgoingQuery,
): readonly Operation[] {
  const [name] = names
  if (!open && names.length === 1 && name !== undefined) {
    const found = storedNamed(operations, name)
    return found === undefined ? [] : [found]
  }
  if (!inline) return []
  return [...operations.inline.values()].filter(
    ({ span: placeSpan }) =>
      placeSpan.file === span.file && placeSpan.start >= span.start && placeSpan.start <= span.end + 1,
  )
}

/** Fields that send a request to another site wherever they are selected. */
const REMOTE_FIELD = /^remote_(?:records|users)$/

function remoteFieldsOf(type: SchemaResultType): readonly string[] {
  if (type.kind === 'list' || type.kind === 'nullable') return remoteFieldsOf(type.inner)
  if (type.kind !== 'object') return []
  return type.fields.flatMap(({ name, type: inner }) => (REMOTE_FIELD.test(name) ? [name] : remoteFieldsOf(inner)))
}

/** Returns the fields with effects outside of the result: all fields of a mutation, and fields that send requests. */
function actingFields({ kind, schemaResult }: Operation['analysis']): readonly string[] {
  if (schemaResult === null) return []
  const roots = kind === 'mutation' ? schemaResult.fields.map(({ name }) => name) : []
  return [...roots, ...remoteFieldsOf(schemaResult)]
}

/** Returns the first acting field of a query that matches; null when there is none. */
function findField(
  input: Pick<CheckedSite, 'operations'>,
  query: OutgoingQuery,
  isWanted: (field: string) => boolean,
): string | null {
  for (const { analysis } of operationsOf(input, query)) {
    for (const name of actingFields(analysis)) if (isWanted(name)) return name
  }
  return null
}

/**
 * Finds mutations of one kind that a file runs, but not in its settings, which run before or after it, nor in its `background` blocks. Follows
 * calls with exactly one target. Caches the files without a match together with
 * all files that they call, because the pages of a large site mostly call the same partials.
 */
export class ActionSearch {
  readonly #input: ActionInput
  readonly #isWanted: (field: string) => boolean
  /** Also follows calls that run in a job. */
  readonly #followsJobs: boolean
  /** Files that run no matching mutation. */
  readonly #filesWithout = new Set<string>()

  constructor(input: ActionInput, isWanted: (field: string) => boolean, followsJobs = false) {
    this.#input = input
    this.#isWanted = isWanted
    this.#followsJobs = followsJobs
  }

  /** Returns the first mutation that a file runs; null when there is none. */
  findInFile(file: string): Action | null {
    return this.#search((seen) => this.#visitFile(file, seen))
  }

  /** Yields the first mutation of each query and each call of a file that `isIncluded` accepts. */
  findInParts(file: string, isIncluded: (part: OutgoingQuery | OutgoingCall) => boolean): Generator<Action> {
    return this.#visitParts(file, isIncluded, (call) => this.#search((seen) => this.#visitCall(call, seen)))
  }

  #search(find: (seen: Set<string>) => Action | null): Action | null {
    const seen = new Set<string>()
    const found = find(seen)
    // Files may call each other in a cycle, so only a complete search proves that a file has no match.
    if (found === null) for (const file of seen) this.#filesWithout.add(file)
    return found
  }

  #visitFile(file: string, seen: Set<string>): Action | null {
    if (this.#filesWithout.has(file) || seen.has(file)) return null
    seen.add(file)
    const [first = null] = this.#visitParts(
      file,
      () => true,
      (call) => this.#visitCall(call, seen),
    )
    return first
  }

  *#visitParts(
    file: string,
    isIncluded: (part: OutgoingQuery | OutgoingCall) => boolean,
    visitCall: (call: OutgoingCall) => Action | null,
  ): Generator<Action> {
    const { queries = [], calls = [] } = this.#input.factsOf(file) ?? {}
    for (const query of queries) {
      const field = isIncluded(query) ? findField(this.#input, query, this.#isWanted) : null
      if (field !== null) yield { field, from: query.span, span: query.span }
    }
    for (const call of calls) {
      const found = isIncluded(call) ? visitCall(call) : null
      if (found !== null) yield found
    }
  }

  #visitCall({ kind, open, targets, span }: OutgoingCall, seen: Set<string>): Action | null {
    const [target] = targets ?? []
    if (
      (kind === 'background' && !this.#followsJobs) ||
      kind === 'theme' ||
      open ||
      targets?.length !== 1 ||
      target === undefined
    )
      return null
    const found = this.#visitFile(target, seen)
    return found === null ? null : { ...found, from: span }
  }
}

/** Returns a function that gives the mutation field with which a tag of a file changes data; null when it changes none. */
export function createEffectFinder(input: ActionInput): (file: string, tag: Span) => string | null {
  const changes = new ActionSearch(input, changesData)
  return (file, { start, end }) => {
    const [action] = changes.findInParts(
      file,
      ({ span }) => span.file === file && start <= span.start && span.end <= end,
    )
    return action?.field ?? null
  }
}

/** Returns the place of the query that runs a mutation, if it is not the place that leads to it; otherwise null. */
export function otherSpan({ span, from }: Action): Span | null {
  return span === from ? null : span
}
