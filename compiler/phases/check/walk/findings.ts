/** Collects the findings of the walk over a template: diagnostics, and facts for other files. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteNote } from '../../../language/tags/tag.ts'
import type { OutgoingCall, OutgoingQuery, LocatedNote } from './facts.ts'
import type { Flow } from './flow.ts'
import { addFirst } from './reads.ts'

/** Properties of a template that limit how definite its findings are. */
export interface ReportLimits {
  readonly isPlatform: boolean
  /** Whether other templates call the template. */
  readonly isPartial: boolean
  /** Whether the parser could not read the template to its end. */
  readonly isBroken: boolean
}

export class Findings {
  readonly #flow: Flow
  readonly #limits: ReportLimits
  readonly diagnostics: Diagnostic[] = []
  readonly calls: OutgoingCall[] = []
  readonly queries: OutgoingQuery[] = []
  readonly notes: LocatedNote[] = []
  /** Ports that the template uses, with the place of the first use. */
  readonly ports = new Map<string, Span>()
  readonly #sideEffects: Span[] = []
  #templateInputs = 0
  #fillsBraces = false
  readonly #braces = new Map<number, { readonly span: Span; readonly braces: string }>()

  constructor(flow: Flow, limits: ReportLimits) {
    this.#flow = flow
    this.#limits = limits
  }

  // ---- diagnostics ------------------------------------------------------------------------------------------------

  /** Reports a diagnostic. In base Liquid only syntax errors are errors, so others become warnings. Dead code is not reported. */
  report(diagnostic: Diagnostic): void {
    if (this.#flow.dead) return
    this.diagnostics.push(
      diagnostic.severity === 'error' && !this.#limits.isPlatform ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
  }

  /**
   * Reports code that fails at run time. It is only a warning in a `try`, where the author expects a failure, and inside a condition in a
   * partial, because that code may not run with the types that the current callers pass.
   */
  reportFault(diagnostic: Diagnostic): void {
    const isSure = !this.#flow.inTry && (!this.#flow.isConditional || !this.#limits.isPartial)
    this.report(isSure ? diagnostic : { ...diagnostic, severity: 'warning' })
  }

  /** Reports that something is missing, unless the template could not be parsed to its end and may contain it. */
  reportMissing(diagnostic: Diagnostic): void {
    if (!this.#limits.isBroken) this.report(diagnostic)
  }

  /** Reports code that never runs. */
  reportDead(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic)
  }

  /** Returns a function that drops all later findings. It is called before the same body is checked again. */
  mark(): () => void {
    const lists = [this.diagnostics, this.calls, this.queries, this.notes]
    const lengths = lists.map(({ length }) => length)
    return () => {
      for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0
    }
  }

  // ---- facts for other files ----------------------------------------------------------------------------------

  addNote(note: SiteNote): void {
    this.notes.push({ note, span: this.#flow.span, inTransaction: this.#flow.inTransaction })
  }

  addPort(name: string): void {
    addFirst(this.ports, name, this.#flow.span)
  }

  // ---- what tags do -----------------------------------------------------------------------------------------------

  /** Records that the current tag has a side effect: it runs a mutation, or a filter that changes its input. */
  addSideEffect(): void {
    this.#sideEffects.push(this.#flow.span)
  }

  /** Returns whether a tag that contains the place has a side effect. */
  hasSideEffectAt(span: Span): boolean {
    return this.#sideEffects.some(({ start, end }) => start <= span.start && span.end <= end)
  }

  // ---- braces in texts --------------------------------------------------------------------------------------------

  /** Reads the input of a filter. `takesTemplate`: the filter may fill in braces in its input. */
  readFilterInput<Value>(takesTemplate: boolean, read: () => Value): Value {
    if (!takesTemplate) return read()
    this.#templateInputs++
    const value = read()
    this.#templateInputs--
    return value
  }

  /** Returns whether a filter may fill in the current text with braces, and records that the template has such a filter. */
  fillsBraces(): boolean {
    if (this.#templateInputs === 0) return false
    this.#fillsBraces = true
    return true
  }

  addBraces(span: Span, braces: string): void {
    if (!this.#braces.has(span.start)) this.#braces.set(span.start, { span, braces })
  }

  /** Texts with `{{ }}` that are printed as is; empty if the template fills in braces itself. */
  get braces(): readonly { readonly span: Span; readonly braces: string }[] {
    return this.#fillsBraces ? [] : [...this.#braces.values()]
  }
}
