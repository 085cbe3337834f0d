/** How `break`, `continue` and `return` leave what stands around them: loops, text that is kept, closures, the function. */
import {
  arrow,
  assign,
  binary,
  branch,
  invoke,
  type Code,
  constant,
  give,
  leave,
  member,
  method,
  ident,
  NULL,
  number,
  run,
  type Statement,
  stepped,
  string,
  type TypeCode,
  typeNamed,
  variable,
  when,
} from '../../../core/model/code.ts'
import { joinValues, NIL_VALUE, optional, type ValueType, declaredType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Jumps } from '../../../language/tags/tag.ts'
import type { Names } from '../names.ts'
import { valueOf } from '../value-types.ts'
import { EMPTY_OUT, OUT, SINK, WRITTEN } from './body.ts'
import type { Draft } from './draft.ts'
import { type FaceInput, hasEpilogue } from './input.ts'

export type Interrupt = 'break' | 'continue' | 'return'

/** What an interrupt leaves first. Behind a `detour` it is carried out again, out of what stands around that. */
type Exit = ({ readonly kind: 'loop' } & Jumps) | Detour

interface Detour {
  readonly kind: 'detour'
  /** The local that says what is to be carried out. */
  readonly jump: string
  readonly leave: Statement
  readonly used: Set<Interrupt>
}

const RESULT_NAME = 'result'
const RESULT = ident(RESULT_NAME)
/** The label of the function's body. */
const BODY = 'body'
const STRING = typeNamed('string')
const PACE = member(ident('r'), 'pace')

/** Counts a step, and checks the limits when that is due. `printed`: the length of the text so far. */
export function step(printed: Code): Statement {
  const due = binary(stepped(PACE), '>=', number(0))
  return when(branch(due, run(method(ident('r'), 'tick', printed))))
}

/** A function's body. */
export interface Ending {
  /** What stands in front of it. */
  readonly head: readonly Statement[]
  readonly body: readonly Statement[]
  /** Whether the local `result` is set on every way to its end. */
  readonly alwaysGives: boolean
}

/** `result = value` as a constant. */
function constantOf(statement: Statement | undefined): Statement | null {
  if (statement?.kind !== 'run' || statement.code.kind !== 'assign') return null
  const { target, value } = statement.code
  return target === RESULT ? constant(RESULT_NAME, value, statement.span) : null
}

/** UTF-16 units that a loop prints before they are written to a sink. */
const LONG_OUTPUT = 16384

export class Exits {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #open: Exit[] = []
  /** What is known of the values that `return` gives; null where nothing does. */
  #result: ValueType | null = null
  /** How often the label `body` is jumped to. */
  #jumps = 0
  #usesResult = false
  #hasUnset = false

  constructor(input: FaceInput, draft: Draft, names: Names) {
    this.#input = input
    this.#draft = draft
    this.#names = names
  }

  /** Whether the function's value is kept in the local `result`. */
  get usesResult(): boolean {
    return this.#usesResult
  }

  /** The function's value at its end. */
  get kept(): Code {
    return this.#usesResult ? RESULT : NULL
  }

  /** What is known of the function's value. */
  get result(): ValueType {
    return this.#result ?? NIL_VALUE
  }

  /** The function's body of the `written` statements: what is jumped out of has a label, and what is kept is declared. */
  ending(written: readonly Statement[], typeOf: (type: ValueType) => TypeCode): Ending {
    const last = written.at(-1)
    const jumpsLast = last?.kind === 'break' && last.label === BODY
    const statements = jumpsLast ? written.slice(0, -1) : written
    const isLabelled = this.#jumps > (jumpsLast ? 1 : 0)
    const body: readonly Statement[] = isLabelled
      ? [{ kind: 'label', label: BODY, body: statements, span: null }]
      : statements
    if (!this.#usesResult) return { head: [], body, alwaysGives: false }
    const alwaysGives = jumpsLast && !this.#hasUnset
    const only = isLabelled || !alwaysGives ? null : constantOf(statements.at(-1))
    if (only !== null) return { head: [], body: [...statements.slice(0, -1), only], alwaysGives }
    const type = typeOf(alwaysGives ? this.result : optional(this.result))
    const variables = [{ name: RESULT_NAME, type, ...(!alwaysGives && { value: NULL }) }]
    return { head: [{ kind: 'declare', how: 'let', variables, span: null }], body, alwaysGives }
  }

  // ---- what is left ---------------------------------------------------------------------------------------------------

  /** The body of a JavaScript loop, which counts its turns. */
  turn(body: () => void, jumps: Jumps): void {
    const draft = this.#draft
    const { target } = draft
    const sinks = draft.sinks && target === 'out'
    const length = target === null ? number(0) : member(ident(target), 'length')
    draft.add(step(sinks ? binary(WRITTEN, '+', length) : length))
    if (sinks) {
      // A text that stays short is cheaper to write than a long one at the end.
      const write = assign(WRITTEN, invoke(ident('writeText'), SINK, OUT, WRITTEN))
      draft.add(when(branch(binary(length, '>', number(LONG_OUTPUT)), [write, EMPTY_OUT])))
    }
    this.#open.push({ kind: 'loop', ...jumps })
    body()
    this.#open.pop()
  }

  /** Writes `body` so that its text goes to a new local; interrupts in it are carried out behind what `after` writes. */
  capture(hint: string, body: () => void, after: (text: Code) => void): void {
    const text = this.#names.fresh(`${hint}_text`)
    this.#draft.add(variable(text, string('')))
    this.labelled(
      'capture',
      text,
      () => this.#draft.detached(body),
      () => {
        this.#draft.add(run(method(ident('r'), 'wrote', member(ident(text), 'length'))))
        after(ident(text))
      },
    )
  }

  /** Writes `body`, whose text goes to `target`; interrupts that would leave it are carried out behind what `after` writes. */
  labelled(hint: string, target: string | null, body: () => void, after: () => void): void {
    const label = this.#names.fresh(hint)
    const detour = this.#detour(leave(label))
    const inner = this.#aside(detour, target, body)
    if (detour.used.size > 0) {
      this.#draft.add(variable(detour.jump, string(''), null, STRING))
      this.#draft.add({ kind: 'label', label, body: inner, span: null })
    } else this.#draft.add(...inner)
    after()
    this.#goOn(detour)
  }

  /** Writes `body` as an async closure: one that gives its text, or one that `prints` into the text around it. */
  closure(prints: boolean, body: () => void, after: (closure: Code) => void): void {
    const closure = this.#names.fresh(prints ? 'run' : 'render')
    const detour = this.#detour(give(prints ? null : OUT))
    const draft = this.#draft
    const inner = this.#aside(detour, draft.target === null || prints ? draft.target : 'out', body)
    if (detour.used.size > 0) draft.add(variable(detour.jump, string(''), null, STRING))
    const statements = prints ? inner : [variable('out', string('')), ...inner, give(OUT)]
    draft.add(constant(closure, arrow([], statements, { async: true })))
    after(ident(closure))
    this.#goOn(detour)
  }

  #detour(leave: Statement): Detour {
    return { kind: 'detour', jump: this.#names.fresh('jump'), leave, used: new Set() }
  }

  #aside(detour: Detour, target: string | null, body: () => void): readonly Statement[] {
    this.#open.push(detour)
    const inner = this.#draft.aside(target, body)
    this.#open.pop()
    return inner
  }

  #goOn({ jump, used }: Detour): void {
    // TypeScript does not follow what is set behind a detour.
    if (used.has('return')) this.#hasUnset = true
    this.carryOut(used, ident(jump), this.#usesResult ? RESULT : null)
  }

  // ---- leaving --------------------------------------------------------------------------------------------------------

  /** Carries out the one of `kinds` that `named`, a piece of code, gives the name of. */
  carryOut(kinds: Iterable<Interrupt>, named: Code, value: Code | null): void {
    for (const kind of kinds) {
      const halt = this.#draft.branch(() => this.halt(kind, value, null))
      this.#draft.add(when(branch(binary(named, '===', string(kind)), halt)))
    }
  }

  halt(kind: Interrupt, value: Code | null, span: Span | null): void {
    const returns = kind === 'return'
    // What is kept in the local was counted when it was put there.
    if (returns && value !== RESULT) this.#gives(value)
    for (const exit of this.#open.toReversed()) {
      if (exit.kind === 'loop') {
        if (returns) continue
        return this.#draft.add(...exit[kind](span))
      }
      exit.used.add(kind)
      if (returns && this.#input.face === 'value') this.#keepResult(value, span)
      return this.#draft.add(assign(ident(exit.jump), string(kind), span), exit.leave)
    }
    this.#leaveFunction(kind, value, span)
  }

  #gives(value: Code | null): void {
    const type = value === null ? NIL_VALUE : declaredType(valueOf(value))
    this.#result = this.#result === null ? type : joinValues(this.#result, type)
  }

  #leaveFunction(kind: Interrupt, value: Code | null, span: Span | null): void {
    const draft = this.#draft
    if (kind !== 'return') this.#gives(null)
    const { face } = this.#input
    const jumps = hasEpilogue(this.#input)
    if (face === 'shared' && kind !== 'return') draft.add(assign(member(ident('frame'), '$halt'), string(kind), span))
    else if (face === 'value' && jumps) this.#keepResult(value, span)
    if (jumps) {
      this.#jumps++
      draft.add(leave(BODY, face === 'shared' || value === null ? span : null))
    } else if (face === 'value') draft.add(give(kind === 'return' ? (value ?? NULL) : NULL, span))
    else {
      draft.flush()
      draft.add(give(draft.target === null ? string('') : draft.printed, span))
    }
  }

  #keepResult(value: Code | null, span: Span | null): void {
    this.#usesResult = true
    if (value === null) this.#hasUnset = true
    if (value !== null && value !== RESULT) this.#draft.add(assign(RESULT, value, span))
  }
}
