/** What pages do to the data of a site, and who may ask them to. */
import { changeOnGet } from '../../../core/diagnostics/codes/security/change-on-get.ts'
import { unguardedChange } from '../../../core/diagnostics/codes/security/unguarded-change.ts'
import { networkInTransaction } from '../../../core/diagnostics/codes/queries/network-in-transaction.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Operation, Operations } from '../../../core/model/operation.ts'
import { storedNamed } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from './facts.ts'

export interface ActionRules {
  readonly site: Site
  readonly operations: Operations
  /** What is known of a file, with its settings. */
  readonly facts: (file: string) => readonly UnitFacts[]
}

/** A mutation that a template comes to, and the place in the template that leads there. */
interface Action {
  /** The field of the mutation: `record_delete`. */
  readonly field: string
  readonly from: Span
  /** Where the mutation runs. */
  readonly at: Span
}

/** Fields of mutations that change records or users. What is sent, logged or counted, and sessions, are left out. */
const CHANGE = /(?:^|_)(?:create|update|delete|restore)(?:_|$)/
const NO_CHANGE = /session|token|hcaptcha|api_call|email|sms|presign|upload|activit|event|log/
/** Those that change what is there already. */
const OF_OTHERS = /(?:^|_)(?:update|delete)(?:_|$)/
const SENT = /^api_call_send$/

function changesData(field: string): boolean {
  return CHANGE.test(field) && !NO_CHANGE.test(field)
}

/** The documents that a query is for certain. */
function operationsOf({ operations }: ActionRules, { names, open, inline, span }: OutgoingQuery): readonly Operation[] {
  const [name] = names
  if (!open && names.length === 1 && name !== undefined) {
    const found = storedNamed(operations, name)
    return found === undefined ? [] : [found]
  }
  if (!inline) return []
  return [...operations.inline.values()].filter(
    ({ span: at }) => at.file === span.file && at.start >= span.start && at.start <= span.end + 1,
  )
}

function fieldOf(rules: ActionRules, query: OutgoingQuery, wanted: (field: string) => boolean): string | null {
  for (const { analysis } of operationsOf(rules, query)) {
    if (analysis.kind !== 'mutation') continue
    for (const { name } of analysis.schemaResult?.fields ?? []) if (wanted(name)) return name
  }
  return null
}

/**
 * Looks for mutations of one kind that files come to, over calls that mean one file. Files in which nothing was
 * found, with all that they call, are not gone through for the next one: pages of a large site call mostly the same partials.
 */
class ActionSearch {
  readonly #rules: ActionRules
  readonly #wanted: (field: string) => boolean
  /** What runs in a job counts as well. */
  readonly #later: boolean
  /** Files that come to none. */
  readonly #without = new Set<string>()

  constructor(rules: ActionRules, wanted: (field: string) => boolean, later = false) {
    this.#rules = rules
    this.#wanted = wanted
    this.#later = later
  }

  /** The first one that a file comes to. */
  of(file: string): Action | null {
    return this.#noting((seen) => this.#in(file, seen))
  }

  /** The same for a call. */
  behind(call: OutgoingCall): Action | null {
    return this.#noting((seen) => this.#behind(call, seen))
  }

  #noting(find: (seen: Set<string>) => Action | null): Action | null {
    const seen = new Set<string>()
    const found = find(seen)
    // Of files that call each other in a circle only the whole search tells.
    if (found === null) for (const file of seen) this.#without.add(file)
    return found
  }

  #in(file: string, seen: Set<string>): Action | null {
    if (this.#without.has(file) || seen.has(file)) return null
    seen.add(file)
    for (const { queries, calls } of this.#rules.facts(file)) {
      for (const query of queries) {
        const field = fieldOf(this.#rules, query, this.#wanted)
        if (field !== null) return { field, from: query.span, at: query.span }
      }
      for (const call of calls) {
        const found = this.#behind(call, seen)
        if (found !== null) return found
      }
    }
    return null
  }

  #behind({ kind, open, targets, span }: OutgoingCall, seen: Set<string>): Action | null {
    const [target] = targets ?? []
    if (
      (kind === 'background' && !this.#later) ||
      kind === 'theme' ||
      open ||
      targets?.length !== 1 ||
      target === undefined
    )
      return null
    const found = this.#in(target, seen)
    return found === null ? null : { ...found, from: span }
  }
}

/** Gives the change of data that a tag of a file makes; null for none. */
export function effects(rules: ActionRules): (file: string, tag: Span) => string | null {
  const changes = new ActionSearch(rules, changesData)
  return (file, tag) => effectAt(rules, changes, file, tag)
}

function effectAt(rules: ActionRules, changes: ActionSearch, file: string, { start, end }: Span): string | null {
  const isIn = ({ span }: { readonly span: Span }) => span.file === file && start <= span.start && span.end <= end
  for (const { queries, calls } of rules.facts(file)) {
    for (const query of queries) {
      const field = isIn(query) ? fieldOf(rules, query, changesData) : null
      if (field !== null) return field
    }
    for (const call of calls) {
      const action = isIn(call) ? changes.behind(call) : null
      if (action !== null) return action.field
    }
  }
  return null
}

/** Pages that change data when they are only looked at, and pages that change what is there for whoever asks. */
export function checkActions(rules: ActionRules): readonly Diagnostic[] {
  const changes = new ActionSearch(rules, changesData, true)
  const changesOfOthers = new ActionSearch(rules, (field) => changesData(field) && OF_OTHERS.test(field))
  const diagnostics: Diagnostic[] = []
  for (const { file, settings } of rules.site.pages) {
    if (settings.method === 'get') {
      const action = changes.of(file.path)
      if (action !== null && !/REQUEST_METHOD/.test(file.text))
        diagnostics.push(changeOnGet(action.from, action.field, elsewhere(action)))
    } else if (settings.authorizationPolicies.length === 0) {
      const action = changesOfOthers.of(file.path)
      if (action !== null && !asksWho(rules, file.path))
        diagnostics.push(unguardedChange(action.from, action.field, elsewhere(action)))
    }
  }
  return diagnostics
}

function elsewhere({ at, from }: Action): Span | null {
  return at === from ? null : at
}

/** What asks who sends a request, or whether they may. */
const ASKING =
  /current_user|\bsession\b|cookies|headers|constants|csrf_request_valid|is_token_valid|verify_access_key|hcaptcha|spam_protection|can_do|authoriz|authenticat|jwt|hmac/

/** Whether a page, or anything that it may come to, looks at who asks. */
function asksWho({ site, facts }: ActionRules, page: string): boolean {
  const files = new Set([page])
  for (const file of files) {
    if (ASKING.test(site.byFile.get(file)?.file.text ?? '')) return true
    for (const { calls } of facts(file))
      for (const { targets } of calls) {
        // What is not known may ask.
        if (targets === null || targets.length === 0) return true
        for (const target of targets) files.add(target)
      }
  }
  return false
}

// ---- transactions -----------------------------------------------------------------------------------------------------

/** Requests to others while a transaction keeps its rows locked. */
export function checkTransactions(rules: ActionRules): readonly Diagnostic[] {
  const requests = new ActionSearch(rules, isSent)
  const diagnostics: Diagnostic[] = []
  for (const unit of rules.site.units) {
    for (const { queries, calls } of rules.facts(unit.file.path)) {
      for (const query of queries) {
        const field = query.inTransaction ? fieldOf(rules, query, isSent) : null
        if (field !== null) diagnostics.push(networkInTransaction(query.span, field, null))
      }
      for (const call of calls) {
        const action = call.inTransaction ? requests.behind(call) : null
        if (action !== null) diagnostics.push(networkInTransaction(call.span, action.field, elsewhere(action)))
      }
    }
  }
  return diagnostics
}

function isSent(field: string): boolean {
  return SENT.test(field)
}
