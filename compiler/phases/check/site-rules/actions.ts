/** Checks which pages change data, whether they check the caller, and whether transactions wait for the network while they hold locks. */
import { changeOnGet } from '../rules/security/change-on-get.ts'
import { unguardedChange } from '../rules/security/unguarded-change.ts'
import { networkInTransaction } from '../rules/queries/network-in-transaction.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Operation, Operations } from '../../../core/model/operation.ts'
import { storedNamed } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from '../walk/facts.ts'

export interface ActionRules {
  readonly site: Site
  readonly operations: Operations
  /** Returns the facts of a file and its settings. */
  readonly facts: (file: string) => readonly UnitFacts[]
}

/** A mutation that a template runs, directly or through calls. */
interface Action {
  /** The field of the mutation: `record_delete`. */
  readonly field: string
  /** The query or call in the template that leads to the mutation. */
  readonly from: Span
  /** The query that runs the mutation. */
  readonly span: Span
}

/** Fields of mutations that change records or users. */
const DATA_CHANGE = /(?:^|_)(?:create|update|delete|restore)(?:_|$)/
/** Exceptions from `DATA_CHANGE`: sessions, and fields that send, log or count. */
const NOT_DATA_CHANGE = /session|token|hcaptcha|api_call|email|sms|presign|upload|activit|event|log/
/** Fields that change existing records or users. */
const CHANGE_OF_EXISTING = /(?:^|_)(?:update|delete)(?:_|$)/
const API_CALL = /^api_call_send$/

function changesData(field: string): boolean {
  return DATA_CHANGE.test(field) && !NOT_DATA_CHANGE.test(field)
}

/** Returns the operations that a query definitely runs; empty when they are not known. */
export function operationsOf(
  { operations }: Pick<ActionRules, 'operations'>,
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

/** Returns the first field of a query's mutation that matches; null when there is none. */
function findField(rules: ActionRules, query: OutgoingQuery, isWanted: (field: string) => boolean): string | null {
  for (const { analysis } of operationsOf(rules, query)) {
    if (analysis.kind !== 'mutation') continue
    for (const { name } of analysis.schemaResult?.fields ?? []) if (isWanted(name)) return name
  }
  return null
}

/**
 * Finds mutations of one kind that a file runs, also through calls with exactly one target. Caches the files without a match together with
 * all files that they call, because the pages of a large site mostly call the same partials.
 */
class ActionSearch {
  readonly #rules: ActionRules
  readonly #isWanted: (field: string) => boolean
  /** Also follows calls that run in a job. */
  readonly #followsJobs: boolean
  /** Files that run no matching mutation. */
  readonly #filesWithout = new Set<string>()

  constructor(rules: ActionRules, isWanted: (field: string) => boolean, followsJobs = false) {
    this.#rules = rules
    this.#isWanted = isWanted
    this.#followsJobs = followsJobs
  }

  /** Returns the first mutation that a file runs; null when there is none. */
  findInFile(file: string): Action | null {
    return this.#search((seen) => this.#visitFile(file, seen))
  }

  /** Returns the first mutation that a call runs; null when there is none. */
  findInCall(call: OutgoingCall): Action | null {
    return this.#search((seen) => this.#visitCall(call, seen))
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
    for (const { queries, calls } of this.#rules.facts(file)) {
      for (const query of queries) {
        const field = findField(this.#rules, query, this.#isWanted)
        if (field !== null) return { field, from: query.span, span: query.span }
      }
      for (const call of calls) {
        const found = this.#visitCall(call, seen)
        if (found !== null) return found
      }
    }
    return null
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
export function createEffectFinder(rules: ActionRules): (file: string, tag: Span) => string | null {
  const changes = new ActionSearch(rules, changesData)
  return (file, tag) => findEffect(rules, changes, file, tag)
}

function findEffect(rules: ActionRules, changes: ActionSearch, file: string, { start, end }: Span): string | null {
  const isIn = ({ span }: { readonly span: Span }) => span.file === file && start <= span.start && span.end <= end
  for (const { queries, calls } of rules.facts(file)) {
    for (const query of queries) {
      const field = isIn(query) ? findField(rules, query, changesData) : null
      if (field !== null) return field
    }
    for (const call of calls) {
      const action = isIn(call) ? changes.findInCall(call) : null
      if (action !== null) return action.field
    }
  }
  return null
}

/** Reports GET pages that change data, and other pages that change existing data without a check of the caller. */
export function checkActions(rules: ActionRules): readonly Diagnostic[] {
  const changes = new ActionSearch(rules, changesData, true)
  const changesOfExisting = new ActionSearch(rules, (field) => changesData(field) && CHANGE_OF_EXISTING.test(field))
  const diagnostics: Diagnostic[] = []
  for (const { file, settings } of rules.site.pages) {
    if (settings.method === 'get') {
      const action = changes.findInFile(file.path)
      if (action !== null && !/REQUEST_METHOD/.test(file.text))
        diagnostics.push(changeOnGet(action.from, action.field, relatedSpan(action)))
    } else if (settings.authorizationPolicies.length === 0) {
      const action = changesOfExisting.findInFile(file.path)
      if (action !== null && !checksCaller(rules, file.path))
        diagnostics.push(unguardedChange(action.from, action.field, relatedSpan(action)))
    }
  }
  return diagnostics
}

function relatedSpan({ span, from }: Action): Span | null {
  return span === from ? null : span
}

/** Matches code that identifies the sender of a request or checks a permission. */
const CALLER_CHECK =
  /current_user|\bsession\b|cookies|headers|constants|csrf_request_valid|is_token_valid|verify_access_key|hcaptcha|spam_protection|can_do|authoriz|authenticat|jwt|hmac/

/** Returns whether a page, or any file that it may call, checks the sender of the request. */
function checksCaller({ site, facts }: ActionRules, page: string): boolean {
  const files = new Set([page])
  for (const file of files) {
    if (CALLER_CHECK.test(site.byFile.get(file)?.file.text ?? '')) return true
    for (const { calls } of facts(file))
      for (const { targets } of calls) {
        // An unknown target of a call may check the sender.
        if (targets === null || targets.length === 0) return true
        for (const target of targets) files.add(target)
      }
  }
  return false
}

// ---- transactions -----------------------------------------------------------------------------------------------------

/** Reports network requests that run inside a transaction, while its rows are locked. */
export function checkTransactions(rules: ActionRules): readonly Diagnostic[] {
  const requests = new ActionSearch(rules, isApiCall)
  const diagnostics: Diagnostic[] = []
  for (const unit of rules.site.units) {
    for (const { queries, calls } of rules.facts(unit.file.path)) {
      for (const query of queries) {
        const field = query.inTransaction ? findField(rules, query, isApiCall) : null
        if (field !== null) diagnostics.push(networkInTransaction(query.span, field, null))
      }
      for (const call of calls) {
        const action = call.inTransaction ? requests.findInCall(call) : null
        if (action !== null) diagnostics.push(networkInTransaction(call.span, action.field, relatedSpan(action)))
      }
    }
  }
  return diagnostics
}

function isApiCall(field: string): boolean {
  return API_CALL.test(field)
}
