/** Collects the statements of one body. Consecutive printed parts become one statement. */
import {
  append,
  assign,
  invoke,
  type Code,
  ident,
  placed,
  type Statement,
  string,
  template,
} from '../../../core/model/code.ts'
import type { Span } from '../../../core/source/span.ts'

/** Texts of at least this length are copied as bytes. Shorter ones are cheaper as part of a string. */
export const LONG_TEXT = 512

export class Body {
  /** The variable that printed text is appended to; null if the text is discarded. */
  readonly target: string | null
  /** For a function that prints to a sink: returns the constant with the bytes of a text. */
  readonly bytes: ((text: string) => Code) | null
  readonly #statements: Statement[] = []
  #parts: (string | Code)[] = []

  /** Whether all statements are discarded, in a pass that only records how variables are used. */
  readonly #isDiscarded: boolean

  constructor(target: string | null, bytes: Body['bytes'] = null, isDiscarded = false) {
    this.#isDiscarded = isDiscarded
    this.target = target
    this.bytes = bytes
  }

  /** All statements, including the pending output. */
  get statements(): readonly Statement[] {
    this.flush()
    return this.#statements
  }

  /** Appends text to the pending output. */
  text(text: string): void {
    if (text === '' || this.target === null || this.#isDiscarded) return
    const last = this.#parts.at(-1)
    if (typeof last === 'string') this.#parts[this.#parts.length - 1] = last + text
    else this.#parts.push(text)
  }

  /** Appends the value of `code`, a string, to the pending output. */
  print(code: Code, span: Span): void {
    if (this.target !== null && !this.#isDiscarded) this.#parts.push(placed(code, span))
  }

  add(...statements: readonly Statement[]): void {
    if (this.#isDiscarded) return
    this.flush()
    for (const statement of statements) this.#statements.push(statement)
  }

  /** Converts the pending output to statements: one, or more if long texts go to the sink as bytes. */
  flush(): void {
    const parts = this.#parts
    if (parts.length === 0) return
    this.#parts = []
    if (this.bytes === null || this.target !== 'out') return this.#append(parts)
    let from = 0
    for (const [at, part] of parts.entries()) {
      if (typeof part !== 'string' || part.length < LONG_TEXT) continue
      this.#append(parts.slice(from, at))
      const textEnd = invoke(ident('writeText'), SINK, OUT, WRITTEN)
      this.#statements.push(assign(WRITTEN, invoke(ident('writeBytes'), SINK, this.bytes(part), textEnd)), EMPTY_OUT)
      from = at + 1
    }
    this.#append(parts.slice(from))
  }

  #append(parts: readonly (string | Code)[]): void {
    const [only] = parts
    if (only === undefined || this.target === null) return
    const value =
      parts.length > 1
        ? template(parts)
        : typeof only !== 'string'
          ? only
          : only.split('\n', 3).length < 3
            ? string(only)
            : template(parts)
    this.#statements.push(append(ident(this.target), value))
  }
}

/** The local with the text of an entry point, and the parameters of a function that prints to a sink. */
export const OUT = ident('out')
export const SINK = ident('sink')
export const WRITTEN = ident('written')
/** The statement `out = ''`, which follows after the text of `out` is written to the sink. */
export const EMPTY_OUT = assign(OUT, string(''))
