/** What the walk over a template has found: diagnostics, and what concerns other files. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Type } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteNote } from '../../../language/tags/tag.ts'
import type { OutgoingCall, OutgoingQuery, LocatedNote } from './facts.ts'
import type { Flow } from './flow.ts'

/** What limits how sure the findings of a template are. */
export interface ReportLimits {
  readonly isPlatform: boolean
  /** Others call the template. */
  readonly isPartial: boolean
  /** The template could not be read to its end. */
  readonly isBroken: boolean
}

/** How much had been found when the check of a body began, which may begin again. */
export interface FindingCounts {
  readonly diagnostics: number
  readonly calls: number
  readonly queries: number
  readonly notes: number
}

export class Findings {
  readonly #flow: Flow
  readonly #limits: ReportLimits
  readonly #diagnostics: Diagnostic[] = []
  readonly #calls: OutgoingCall[] = []
  readonly #queries: OutgoingQuery[] = []
  readonly #notes: LocatedNote[] = []
  readonly #ports = new Map<string, Span>()
  readonly #sideEffects: Span[] = []
  #templateInputs = 0
  #fillsBraces = false
  readonly #braces = new Map<number, { readonly span: Span; readonly braces: string }>()
  readonly #emptyResults = new Map<Type, { readonly span: Span; readonly partial: string }>()

  constructor(flow: Flow, limits: ReportLimits) {
    this.#flow = flow
    this.#limits = limits
  }

  // ---- diagnostics ------------------------------------------------------------------------------------------------

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** Base Liquid refuses nothing but syntax: there every finding is a warning. Code that never runs is not looked at. */
  report(diagnostic: Diagnostic): void {
    if (this.#flow.dead) return
    this.#diagnostics.push(
      diagnostic.severity === 'error' && !this.#limits.isPlatform ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
  }

  /**
   * Reports what fails when it runs. In a partial, a place behind a condition may be one that never runs with the types that
   * its callers pass today; in a `try` the author waits for it. Neither refuses a site.
   */
  reportFault(diagnostic: Diagnostic): void {
    const isSure = !this.#flow.inTry && (!this.#flow.isConditional || !this.#limits.isPartial)
    this.report(isSure ? diagnostic : { ...diagnostic, severity: 'warning' })
  }

  /** Reports that something is missing, which a template that could not be read to its end does not show. */
  reportMissing(diagnostic: Diagnostic): void {
    if (!this.#limits.isBroken) this.report(diagnostic)
  }

  /** Reports code that never runs. */
  reportDead(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  mark(): FindingCounts {
    return {
      diagnostics: this.#diagnostics.length,
      calls: this.#calls.length,
      queries: this.#queries.length,
      notes: this.#notes.length,
    }
  }

  /** Forgets what was found since then: the same body is checked again. */
  rewind(mark: FindingCounts): void {
    this.#diagnostics.length = mark.diagnostics
    this.#calls.length = mark.calls
    this.#queries.length = mark.queries
    this.#notes.length = mark.notes
  }

  // ---- what concerns other files ----------------------------------------------------------------------------------

  get calls(): readonly OutgoingCall[] {
    return this.#calls
  }

  addCall(call: OutgoingCall): void {
    this.#calls.push(call)
  }

  get queries(): readonly OutgoingQuery[] {
    return this.#queries
  }

  addQuery(query: OutgoingQuery): void {
    this.#queries.push(query)
  }

  get notes(): readonly LocatedNote[] {
    return this.#notes
  }

  addNote(note: SiteNote): void {
    this.#notes.push({ note, span: this.#flow.span, inTransaction: this.#flow.inTransaction })
  }

  /** Ports that the template reaches, with the first place. */
  get ports(): ReadonlyMap<string, Span> {
    return this.#ports
  }

  addPort(name: string): void {
    if (!this.#ports.has(name)) this.#ports.set(name, this.#flow.span)
  }

  // ---- what tags do -----------------------------------------------------------------------------------------------

  /** The current tag does more than give a value: it runs a mutation, or a filter that changes its input. */
  addSideEffect(): void {
    this.#sideEffects.push(this.#flow.span)
  }

  /** Whether a tag around the place does more than give a value. */
  hasSideEffectAt(span: Span): boolean {
    return this.#sideEffects.some(({ start, end }) => start <= span.start && span.end <= end)
  }

  /** Notes a function that returns nothing by the type that stands for its result. */
  addEmptyResult(type: Type, span: Span, partial: string): void {
    this.#emptyResults.set(type, { span, partial })
  }

  emptyResult(type: Type): { readonly span: Span; readonly partial: string } | undefined {
    return this.#emptyResults.get(type)
  }

  // ---- braces in texts --------------------------------------------------------------------------------------------

  /** Reads the input of a filter, which may be a template that it fills in. */
  readFilterInput<Value>(takesTemplate: boolean, read: () => Value): Value {
    if (!takesTemplate) return read()
    this.#templateInputs++
    const value = read()
    this.#templateInputs--
    return value
  }

  /** Called for a text with braces; true where a filter fills it in. */
  fillsBraces(): boolean {
    if (this.#templateInputs === 0) return false
    this.#fillsBraces = true
    return true
  }

  addBraces(span: Span, braces: string): void {
    if (!this.#braces.has(span.start)) this.#braces.set(span.start, { span, braces })
  }

  /** Texts with `{{ }}` that stay as they are; none where the template fills in braces itself. */
  get braces(): readonly { readonly span: Span; readonly braces: string }[] {
    return this.#fillsBraces ? [] : [...this.#braces.values()]
  }
}
