/** Emits how `break`, `continue` and `return` leave the surrounding code: loops, captured text, closures, and the function. */
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
  typed,
  typeNamed,
  variable,
  when,
} from '../../../core/model/code.ts'
import { optional, TEXT_VALUE } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Jumps } from '../../../language/tags/tag.ts'
import type { Names } from '../names.ts'
import { EMPTY_OUT, OUT, SINK, TextVariable, WRITTEN } from './body.ts'
import type { Draft } from './draft.ts'
import { type EntryPointInput, hasEpilogue } from './input.ts'
import { resultCode } from './function-head.ts'
import type { ResultTypes } from './result-type.ts'

export type Interrupt = 'break' | 'continue' | 'return'

/** A surrounding construct that an interrupt leaves. After a `detour`, the interrupt is emitted again for the constructs around it. */
type Exit = ({ readonly kind: 'loop' } & Jumps) | Detour

interface Detour {
  readonly kind: 'detour'
  /** The local with the name of the pending interrupt. */
  readonly jump: string
  readonly leave: Statement
  readonly interrupts: Set<Interrupt>
}

const RESULT_NAME = 'result'
const RESULT = ident(RESULT_NAME)
/** The JavaScript label of the function body. */
const BODY = 'body'
const STRING = typeNamed('string')
const PACE = member(ident('r'), 'pace')

/** Returns the statement that counts a step and checks the limits when due. `printed`: the length of the text so far. */
export function step(printed: Code): Statement {
  const dueTest = binary(stepped(PACE), '>=', number(0))
  return when(branch(dueTest, run(method(ident('r'), 'tick', printed))))
}

/** A function body with its declarations. */
export interface FunctionBody {
  /** The declarations before the body. */
  readonly head: readonly Statement[]
  readonly body: readonly Statement[]
  /** Whether the local `result` is set on every path to the end of the body. */
  readonly isAlwaysSet: boolean
}

/** Returns `const result = value` for an assignment to `result`; null for other statements. */
function resultConstantOf(statement: Statement | undefined): Statement | null {
  if (statement?.kind !== 'run' || statement.code.kind !== 'assign') return null
  const { target, value } = statement.code
  return target === RESULT ? constant(RESULT_NAME, value, statement.span) : null
}

/** The number of UTF-16 code units after which a loop writes its text to the sink. */
const LONG_OUTPUT = 16384

export class Exits {
  readonly #input: EntryPointInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #openExits: Exit[] = []
  readonly #types: ResultTypes
  /** The number of jumps to the label `body`. */
  #bodyJumps = 0
  #usesResult = false
  #mayBeUnset = false

  constructor(input: EntryPointInput, draft: Draft, names: Names, types: ResultTypes) {
    this.#input = input
    this.#draft = draft
    this.#names = names
    this.#types = types
  }

  /** Whether the result of the function is stored in the local `result`. */
  get usesResult(): boolean {
    return this.#usesResult
  }

  /** The code of the result at the end of the function. */
  get resultCode(): Code {
    return this.#usesResult ? RESULT : NULL
  }

  /** Returns the body with a label if there are jumps to its end, and with the declaration of `result` if it is used. */
  finish(bodyStatements: readonly Statement[]): FunctionBody {
    const last = bodyStatements.at(-1)
    const endsWithJump = last?.kind === 'break' && last.label === BODY
    const statements = endsWithJump ? bodyStatements.slice(0, -1) : bodyStatements
    const isLabelled = this.#bodyJumps > (endsWithJump ? 1 : 0)
    const body: readonly Statement[] = isLabelled
      ? [{ kind: 'label', label: BODY, body: statements, span: null }]
      : statements
    if (!this.#usesResult) return { head: [], body, isAlwaysSet: false }
    const isAlwaysSet = endsWithJump && !this.#mayBeUnset
    const resultConstant = isLabelled || !isAlwaysSet ? null : resultConstantOf(statements.at(-1))
    if (resultConstant !== null) return { head: [], body: [...statements.slice(0, -1), resultConstant], isAlwaysSet }
    const { result } = this.#types
    const type = resultCode(this.#input, isAlwaysSet ? result : { ...result, type: optional(result.type) })
    const variables = [{ name: RESULT_NAME, type, ...(!isAlwaysSet && { value: NULL }) }]
    return { head: [{ kind: 'declare', keyword: 'let', variables, span: null }], body, isAlwaysSet }
  }

  // ---- constructs left by interrupts -------------------------------------------------------------------------------

  /** Emits the body of a JavaScript loop, which counts its iterations. */
  iteration(body: () => void, jumps: Jumps): void {
    const draft = this.#draft
    const { target } = draft
    const usesSink = draft.usesSink && target?.name === 'out'
    const length = target === null ? number(0) : member(ident(target.name), 'length')
    draft.add(step(usesSink ? binary(WRITTEN, '+', length) : length))
    if (usesSink) {
      // Writing many short texts is cheaper than writing a long one at the end.
      const write = assign(WRITTEN, invoke(ident('writeText'), SINK, OUT, WRITTEN))
      draft.add(when(branch(binary(length, '>', number(LONG_OUTPUT)), [write, EMPTY_OUT])))
    }
    this.#openExits.push({ kind: 'loop', ...jumps })
    draft.loopDepth++
    body()
    draft.loopDepth--
    this.#openExits.pop()
  }

  /** Emits `body` with its text in a new local. Interrupts in it take effect after the code from `after`. */
  capture(hint: string, span: Span | null, body: () => void, after: (text: Code) => void): void {
    const text = new TextVariable(this.#names.fresh(hint))
    this.writeLabelled(
      'capture',
      text,
      () => {
        this.#draft.writeDetached(body)
        this.#draft.declareTarget()
      },
      () => {
        const code = typed(ident(text.name), TEXT_VALUE)
        this.#draft.finalTexts.add(text.name)
        this.#draft.add(run(method(ident('r'), 'wrote', member(code, 'length')), span))
        after(code)
      },
    )
  }

  /** Emits `body` with its text in `target`. Interrupts that leave it take effect after the code from `after`. */
  writeLabelled(hint: string, target: TextVariable | null, body: () => void, after: () => void): void {
    const label = this.#names.fresh(hint)
    const detour = this.#detour(leave(label))
    if (target === this.#draft.target) this.#draft.declareTarget()
    const isOwn = target?.isDeclared === false
    const inner = this.#blockInto(detour, target, body)
    if (detour.interrupts.size > 0) {
      this.#draft.add(variable(detour.jump, string(''), null, STRING))
      if (isOwn) this.#draft.add(variable(target.name, string('')))
      const statements = isOwn ? target.withoutDeclaration(inner) : inner
      this.#draft.add({ kind: 'label', label, body: statements, span: null })
    } else this.#draft.add(...(isOwn ? target.withConstant(inner) : inner))
    after()
    this.#continueInterrupts(detour)
  }

  /** Emits `body` as an async closure. It prints to the surrounding text if `isPrinting` is set; otherwise, it returns its text. */
  closure(isPrinting: boolean, body: () => void, after: (closure: Code) => void): void {
    const closure = this.#names.fresh(isPrinting ? 'run' : 'render')
    const draft = this.#draft
    const discards = draft.target === null
    const detour = this.#detour(give(isPrinting ? null : discards ? string('') : OUT))
    if (isPrinting) draft.declareTarget()
    const text = discards || isPrinting ? null : new TextVariable('out')
    const write = () => {
      body()
      if (!isPrinting) draft.add(give(draft.takeText()))
    }
    const inner = this.#blockInto(detour, text ?? draft.target, write)
    if (detour.interrupts.size > 0) draft.add(variable(detour.jump, string(''), null, STRING))
    const statements = text === null ? inner : text.withConstant(inner)
    draft.add(constant(closure, arrow([], statements, { async: true })))
    after(ident(closure))
    this.#continueInterrupts(detour)
  }

  #detour(leave: Statement): Detour {
    return { kind: 'detour', jump: this.#names.fresh('jump'), leave, interrupts: new Set() }
  }

  #blockInto(detour: Detour, target: TextVariable | null, body: () => void): readonly Statement[] {
    this.#openExits.push(detour)
    const inner = this.#draft.blockInto(target, body)
    this.#openExits.pop()
    return inner
  }

  #continueInterrupts({ jump, interrupts }: Detour): void {
    // TypeScript does not track assignments across a detour.
    if (interrupts.has('return')) this.#mayBeUnset = true
    this.writeInterrupts(interrupts, ident(jump), this.#usesResult ? RESULT : null)
  }

  // ---- leaving --------------------------------------------------------------------------------------------------------

  /** Emits the interrupt whose name is the value of `code`, one of `kinds`. */
  writeInterrupts(kinds: Iterable<Interrupt>, code: Code, value: Code | null): void {
    for (const kind of kinds) {
      const halt = this.#draft.branch(() => this.halt(kind, value, null))
      this.#draft.add(when(branch(binary(code, '===', string(kind)), halt)))
    }
  }

  halt(kind: Interrupt, value: Code | null, span: Span | null): void {
    const isReturn = kind === 'return'
    // The type of the stored result was already recorded.
    if (isReturn && value !== RESULT) this.#types.add(value)
    for (const exit of this.#openExits.toReversed()) {
      if (exit.kind === 'loop') {
        if (isReturn) continue
        return this.#draft.add(...exit[kind](span))
      }
      this.#draft.declareTarget()
      exit.interrupts.add(kind)
      if (isReturn && this.#input.entryPoint === 'value') this.#storeResult(value, span)
      return this.#draft.add(assign(ident(exit.jump), string(kind), span), exit.leave)
    }
    this.#leaveFunction(kind, value, span)
  }

  #leaveFunction(kind: Interrupt, value: Code | null, span: Span | null): void {
    const draft = this.#draft
    if (kind !== 'return') this.#types.add(null)
    const { entryPoint } = this.#input
    const jumps = hasEpilogue(this.#input)
    if (entryPoint === 'shared' && kind !== 'return')
      draft.add(assign(member(ident('frame'), '$halt'), string(kind), span))
    else if (entryPoint === 'value' && jumps) this.#storeResult(value, span)
    if (jumps) {
      this.#bodyJumps++
      draft.add(leave(BODY, entryPoint === 'shared' || value === null ? span : null))
    } else if (entryPoint === 'value') draft.add(give(kind === 'return' ? (value ?? NULL) : NULL, span))
    else {
      draft.add(give(draft.takeResult(), span))
    }
  }

  #storeResult(value: Code | null, span: Span | null): void {
    this.#usesResult = true
    if (value === null) this.#mayBeUnset = true
    if (value !== null && value !== RESULT) this.#draft.add(assign(RESULT, value, span))
  }
}
