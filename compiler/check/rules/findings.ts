/** What the walk over a template has found: diagnostics, and what concerns other files. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Type } from '../../model/type.ts'
import type { Span } from '../../source/span.ts'
import type { SiteNote } from '../../tags/tag.ts'
import type { OutgoingCall, OutgoingQuery, LocatedNote } from './facts.ts'
import type { Flow } from './flow.ts'

/** How sure the findings of a template can be. */
export interface ReportLimits {
  readonly isPlatform: boolean
  /** Others call the template. */
  readonly isPartial: boolean
  /** The template could not be read to its end. */
  readonly isBroken: boolean
}

/** Up to where a body has been told of, when it is read again. */
export interface FindingCounts {
  readonly diagnostics: number
  readonly calls: number
  readonly queries: number
  readonly notes: number
}

export class Findings {
  readonly #flow: Flow
  readonly #judged: ReportLimits
  readonly #diagnostics: Diagnostic[] = []
  readonly #calls: OutgoingCall[] = []
  readonly #queries: OutgoingQuery[] = []
  readonly #notes: LocatedNote[] = []
  readonly #ports = new Map<string, Span>()
  readonly #doing: Span[] = []
  #templatesMeant = 0
  #fillsBraces = false
  readonly #braces = new Map<number, { readonly span: Span; readonly braces: string }>()
  readonly #nothings = new Map<Type, { readonly span: Span; readonly partial: string }>()

  constructor(flow: Flow, judged: ReportLimits) {
    this.#flow = flow
    this.#judged = judged
  }

  // ---- diagnostics ------------------------------------------------------------------------------------------------

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** Base Liquid refuses nothing but syntax: there every finding is a warning. Code that never runs is not looked at. */
  report(diagnostic: Diagnostic): void {
    if (this.#flow.dead) return
    this.#diagnostics.push(
      diagnostic.severity === 'error' && !this.#judged.isPlatform ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
  }

  /**
   * Reports what fails when it runs. In a partial, a place behind a condition may be one that never runs with the types that
   * its callers pass today; in a `try` the author waits for it. Neither refuses a site.
   */
  reportFault(diagnostic: Diagnostic): void {
    const isSure = !this.#flow.inTry && (!this.#flow.isConditional || !this.#judged.isPartial)
    this.report(isSure ? diagnostic : { ...diagnostic, severity: 'warning' })
  }

  /** Reports that something is missing, which a template that could not be read to its end does not show. */
  reportMissing(diagnostic: Diagnostic): void {
    if (!this.#judged.isBroken) this.report(diagnostic)
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

  /** Forgets what was found since: the same body is read again. */
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
    this.#notes.push({ note, span: this.#flow.place, inTransaction: this.#flow.inTransaction })
  }

  /** Ports that the template reaches, with the first place. */
  get ports(): ReadonlyMap<string, Span> {
    return this.#ports
  }

  addPort(name: string): void {
    if (!this.#ports.has(name)) this.#ports.set(name, this.#flow.place)
  }

  // ---- what tags do -----------------------------------------------------------------------------------------------

  /** The tag at hand does something beside giving a value: a mutation, a filter that changes what it is given. */
  addDoing(): void {
    this.#doing.push(this.#flow.place)
  }

  /** Whether a tag around the place does something beside giving a value. */
  doesAt(span: Span): boolean {
    return this.#doing.some(({ start, end }) => start <= span.start && span.end <= end)
  }

  /** Notes a function that returns nothing by the type that stands for its result. */
  addNothing(type: Type, span: Span, partial: string): void {
    this.#nothings.set(type, { span, partial })
  }

  nothing(type: Type): { readonly span: Span; readonly partial: string } | undefined {
    return this.#nothings.get(type)
  }

  // ---- braces in texts --------------------------------------------------------------------------------------------

  /** Reads what a filter is given; `isMeant`: it may be given a template. */
  readGiven<Value>(isMeant: boolean, read: () => Value): Value {
    if (!isMeant) return read()
    this.#templatesMeant++
    const value = read()
    this.#templatesMeant--
    return value
  }

  /** A text with braces is met: one that a filter fills in, or else false. */
  fillsBraces(): boolean {
    if (this.#templatesMeant === 0) return false
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
