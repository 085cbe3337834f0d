/** How `break`, `continue` and `return` leave what stands around them: loops, text that is kept, closures, the function. */
import type { Span } from '../../source/span.ts'
import type { Code } from '../../tags/tag.ts'
import type { Names } from '../names.ts'
import { annotation, type Writer } from '../writer.ts'
import type { Draft } from './draft.ts'
import { type FaceInput, hasEpilogue } from './input.ts'

export type Interrupt = 'break' | 'continue' | 'return'

/** What an interrupt leaves first. Behind a `detour` it is carried out again, out of what stands around that. */
type Exit = { readonly kind: 'loop'; readonly break: string; readonly continue: string } | Detour

interface Detour {
  readonly kind: 'detour'
  /** The local that says what is to be carried out. */
  readonly jump: string
  readonly leave: string
  readonly used: Set<Interrupt>
}

/** UTF-16 units that a loop prints before they are written to a sink. */
const LONG_OUTPUT = 16384

export class Exits {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #open: Exit[] = []
  #usesLabel = false
  #usesResult = false

  constructor(input: FaceInput, draft: Draft, names: Names) {
    this.#input = input
    this.#draft = draft
    this.#names = names
  }

  /** Whether the function's body needs the label `body`. */
  get usesLabel(): boolean {
    return this.#usesLabel
  }

  /** Whether the function's value is kept in the local `result`. */
  get usesResult(): boolean {
    return this.#usesResult
  }

  // ---- what is left ---------------------------------------------------------------------------------------------------

  /** The body of a JavaScript loop, which counts its turns. */
  turn(body: () => void, jumps: { readonly break: string; readonly continue: string }): void {
    const draft = this.#draft
    const { target } = draft
    const sinks = draft.sinks && target === 'out'
    const printed = target === null ? '0' : sinks ? 'written + out.length' : `${target}.length`
    draft.statement(`if ((++r.steps & 1023) === 0) r.tick(${printed})`, null)
    if (sinks) {
      // A text that stays short is cheaper to write than a long one at the end.
      draft.block(`if (out.length > ${LONG_OUTPUT})`, null, () => {
        draft.statement('written = writeText(sink, out, written)', null)
        draft.statement("out = ''", null)
      })
    }
    this.#open.push({ kind: 'loop', ...jumps })
    body()
    this.#open.pop()
  }

  /** Writes `body` so that its text goes to a new local; interrupts in it are carried out behind what `after` writes. */
  capture(hint: string, body: () => void, after: (text: Code) => void): void {
    const text = this.#names.fresh(`${hint}_text`)
    this.#draft.statement(`let ${text} = ''`, null)
    this.labelled(
      'capture',
      text,
      () => this.#draft.detached(body),
      () => after(text),
    )
  }

  /** Writes `body`, whose text goes to `target`; interrupts that would leave it are carried out behind what `after` writes. */
  labelled(hint: string, target: string | null, body: () => void, after: () => void): void {
    const label = this.#names.fresh(hint)
    const detour = this.#detour(`break ${label}`)
    const inner = this.#aside(detour, target, body)
    const { writer } = this.#draft
    if (detour.used.size > 0) {
      writer.statement(`let ${detour.jump}${annotation(': string')} = ''`, null)
      writer.block(`${label}:`, null, () => writer.append(inner))
    } else writer.append(inner)
    after()
    this.#goOn(detour)
  }

  /** Writes `body` as an async closure: one that gives its text, or one that `prints` into the text around it. */
  closure(prints: boolean, body: () => void, after: (closure: Code) => void): void {
    const name = this.#names.fresh(prints ? 'run' : 'render')
    const detour = this.#detour(prints ? 'return' : 'return out')
    const { writer } = this.#draft
    const inner = this.#aside(detour, writer.target === null || prints ? writer.target : 'out', body)
    if (detour.used.size > 0) writer.statement(`let ${detour.jump} = ''${annotation(' as string')}`, null)
    writer.block(`const ${name} = async () =>`, null, () => {
      if (!prints) writer.statement("let out = ''", null)
      writer.append(inner)
      if (!prints) writer.statement('return out', null)
    })
    after(name)
    this.#goOn(detour)
  }

  #detour(leave: string): Detour {
    return { kind: 'detour', jump: this.#names.fresh('jump'), leave, used: new Set() }
  }

  #aside(detour: Detour, target: string | null, body: () => void): Writer {
    this.#open.push(detour)
    const inner = this.#draft.aside(target, body)
    this.#open.pop()
    return inner
  }

  #goOn({ jump, used }: Detour): void {
    this.carryOut(used, jump, this.#usesResult ? 'result' : null)
  }

  // ---- leaving --------------------------------------------------------------------------------------------------------

  /** Carries out the one of `kinds` that `named`, a piece of code, gives the name of. */
  carryOut(kinds: Iterable<Interrupt>, named: Code, value: Code | null): void {
    for (const kind of kinds) this.#draft.block(`if (${named} === '${kind}')`, null, () => this.halt(kind, value, null))
  }

  halt(kind: Interrupt, value: Code | null, span: Span | null): void {
    const returns = kind === 'return'
    for (const exit of this.#open.toReversed()) {
      if (exit.kind === 'loop') {
        if (returns) continue
        return this.#draft.statement(exit[kind], span)
      }
      exit.used.add(kind)
      if (returns && this.#input.face === 'value') this.#keepResult(value, span)
      this.#draft.statement(`${exit.jump} = '${kind}'`, span)
      return this.#draft.statement(exit.leave, null)
    }
    this.#leaveFunction(kind, value, span)
  }

  #leaveFunction(kind: Interrupt, value: Code | null, span: Span | null): void {
    const draft = this.#draft
    const { face } = this.#input
    const jumps = hasEpilogue(this.#input)
    if (face === 'shared' && kind !== 'return') draft.statement(`frame.$halt = '${kind}'`, span)
    else if (face === 'value' && jumps) this.#keepResult(value, span)
    if (jumps) {
      this.#usesLabel = true
      draft.statement('break body', face === 'shared' || value === null ? span : null)
    } else if (face === 'value') draft.statement(`return ${kind === 'return' ? (value ?? 'null') : 'null'}`, span)
    else {
      draft.writer.flush()
      draft.statement(`return ${draft.target === null ? "''" : draft.printed}`, span)
    }
  }

  #keepResult(value: Code | null, span: Span | null): void {
    this.#usesResult = true
    if (value !== null && value !== 'result') this.#draft.statement(`result = ${value}`, span)
  }
}
