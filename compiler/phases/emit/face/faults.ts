/** Where faults of a face are answered: printed in place, thrown on, or given another value. */
import type { FilterCall, Node } from '../../../core/model/ast.ts'
import {
  append,
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
import type { FaceInput } from './input.ts'

const RENDER = ident('r')
const RENDER_DEPTH = member(RENDER, 'depth')

export class Faults {
  /** The node that is being written. */
  node: Node | null = null
  readonly #input: FaceInput
  readonly #draft: Draft
  #trying = 0
  #keeping = 0
  #usesDepth = false

  constructor(input: FaceInput, draft: Draft) {
    this.#input = input
    this.#draft = draft
  }

  /** Whether faults are answered in place here: the mode prints them, or a `try` is open. */
  get guarding(): boolean {
    return !this.#input.context.site.raise || this.#trying > 0
  }

  /** Whether a block is open whose text stays when something in it fails. */
  get keeping(): boolean {
    return this.#keeping > 0
  }

  /** What the function's head declares for its guards. */
  get head(): readonly Statement[] {
    return this.#usesDepth ? [constant('depth', RENDER_DEPTH)] : []
  }

  /** The template and the 1-based line of a place: two arguments of what reports a fault. */
  place(span: Span): readonly [Code, Code] {
    return [this.#input.imports.unit, number(this.#input.context.line(span.file, span.start))]
  }

  /** Runs `write` so that a fault in it prints its text in place and the render goes on, where the mode says so. */
  guard(fallible: boolean, span: Span, write: () => void): void {
    if (!fallible || !this.guarding) return write()
    const { node } = this
    const { target } = this.#draft
    const silent = target === null || (node !== null && node.kind === 'tag' && isBlank(node, this.#input.context.tags))
    const body = this.#draft.block(write)
    const handler = this.#draft.block(() => {
      if (this.#input.effects.recursive) {
        this.#usesDepth = true
        this.#draft.add(assign(RENDER_DEPTH, ident('depth')))
      }
      const fault = method(RENDER, 'fault', ident('error'), ...this.place(span))
      this.#draft.add(silent ? run(fault) : append(ident(target), fault))
    })
    this.#draft.add({ kind: 'try', body, error: 'error', handler: { body: handler, span: null }, last: null, span })
  }

  /** Where a filter that rejects what it is given gives something else in place: the call of `called` that does so, else null. */
  rejecting(filter: FilterCall, signature: FilterSignature, called: Code, args: readonly Code[]): Code | null {
    const { site } = this.#input.context
    const { dialect, fallible, suspends, result } = signature
    // Base Liquid's filters refuse nothing but what they print an error for.
    if (site.dialect !== 'platform' || dialect !== 'platform' || !(fallible || suspends)) return null
    if (site.raise || this.#trying > 0) return null
    const kinds = result.kind === 'union' ? result.of.map((each) => each.kind) : [result.kind]
    const instead = kinds.includes('boolean') && kinds.every((kind) => kind === 'boolean' || kind === 'nil')
    const attempt = this.#input.imports.use(suspends ? 'attemptLater' : 'attempt')
    const code = invoke(attempt, RENDER, ...this.place(filter.span), instead ? FALSE : string(''), called, ...args)
    return typed(code, joinValues(resultValue(signature), instead ? BOOLEAN_VALUE : PLAIN_VALUE))
  }

  /** A body whose faults carry their own line. */
  tried(body: () => void): void {
    this.#trying++
    this.kept(body)
    this.#trying--
  }

  /** A body whose text stays when something in it fails. */
  kept(body: () => void): void {
    this.#keeping++
    body()
    this.#keeping--
  }
}
