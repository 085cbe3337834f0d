/** Emits the handling of faults in an entry point: a fault is printed in place, thrown, or replaced by another value. */
import type { FilterCall, Node } from '../../../core/tree/ast.ts'
import {
  assign,
  invoke,
  type Code,
  constant,
  FALSE,
  member,
  method,
  ident,
  number,
  run,
  type Statement,
  string,
  typed,
} from '../../../core/model/code.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { BOOLEAN_VALUE, joinValues, PLAIN_VALUE } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import { isBlank } from '../blank.ts'
import { resultValue } from '../value-types.ts'
import type { Draft } from './draft.ts'
import type { EntryPointInput } from './input.ts'

const RENDER = ident('r')
const RENDER_DEPTH = member(RENDER, 'depth')

export class Faults {
  /** The node that is being emitted. */
  node: Node | null = null
  readonly #input: EntryPointInput
  readonly #draft: Draft
  #openTries = 0
  #openKeepers = 0
  #usesDepth = false

  constructor(input: EntryPointInput, draft: Draft) {
    this.#input = input
    this.#draft = draft
  }

  /** Whether a fault is printed in place. In a `try`, it is thrown, and the JavaScript stack gives its line. */
  get isGuarding(): boolean {
    return !this.#input.context.site.raise && this.#openTries === 0
  }

  /** Whether an open block keeps its text if something in it fails. */
  get keepsText(): boolean {
    return this.#openKeepers > 0
  }

  /** The declarations at the start of the function that the guards need. */
  get head(): readonly Statement[] {
    return this.#usesDepth ? [constant('depth', RENDER_DEPTH)] : []
  }

  /** Returns the template and the 1-based line of a place, as the two arguments of functions that report faults. */
  place(span: Span): readonly [Code, Code] {
    return [this.#input.imports.unit, number(this.#input.context.line(span.file, span.start))]
  }

  /** Runs `write`. If the mode requires it, a fault in the emitted code is printed in place and the render continues. */
  guard(isFallible: boolean, span: Span, write: () => void): void {
    if (!isFallible || !this.isGuarding) return write()
    const { node } = this
    const { target } = this.#draft
    const isSilent =
      target === null || (node !== null && node.kind === 'tag' && isBlank(node, this.#input.context.tags))
    const body = this.#draft.block(write)
    const handler = this.#draft.block(() => {
      if (this.#input.effects.recursive) {
        this.#usesDepth = true
        this.#draft.add(assign(RENDER_DEPTH, ident('depth')))
      }
      const fault = method(RENDER, 'fault', ident('error'), ...this.place(span))
      this.#draft.add(isSilent ? run(fault) : target.append(fault))
    })
    this.#draft.add({ kind: 'try', body, error: 'error', handler: { body: handler, span: null }, last: null, span })
  }

  /**
   * Returns a call of `callee` that gives a default value if the filter rejects an argument; null if faults are not replaced at this place.
   */
  attemptCode(filter: FilterCall, signature: FilterSignature, callee: Code, args: readonly Code[]): Code | null {
    const { site } = this.#input.context
    const { dialect, fallible, suspends, result } = signature
    // Filters of base Liquid reject values only where they print an error.
    if (site.dialect !== 'platform' || dialect !== 'platform' || !(fallible || suspends)) return null
    if (!this.isGuarding) return null
    const kinds = result.kind === 'union' ? result.members.map((each) => each.kind) : [result.kind]
    const isBoolean = kinds.includes('boolean') && kinds.every((kind) => kind === 'boolean' || kind === 'nil')
    const attempt = this.#input.imports.use(suspends ? 'attemptLater' : 'attempt')
    const code = invoke(attempt, RENDER, ...this.place(filter.span), isBoolean ? FALSE : string(''), callee, ...args)
    return typed(code, joinValues(resultValue(signature), isBoolean ? BOOLEAN_VALUE : PLAIN_VALUE))
  }

  /** Emits a body whose faults are caught. */
  writeTry(body: () => void): void {
    this.#openTries++
    this.writeKept(body)
    this.#openTries--
  }

  /** Emits a body that keeps its text if something in it fails. */
  writeKept(body: () => void): void {
    this.#openKeepers++
    body()
    this.#openKeepers--
  }
}
