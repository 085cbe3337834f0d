/** The statements of one body, in the order in which they are written. What is printed in a row becomes one statement. */
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

/** From this length on a text of the template is copied as bytes: shorter ones are cheaper as part of a string. */
export const LONG_TEXT = 512

export class Body {
  /** The variable that printed text is added to; null where it is thrown away. */
  readonly target: string | null
  /** In a function that prints into a sink: gives the constant that holds a text's bytes. */
  readonly bytes: ((text: string) => Code) | null
  readonly #statements: Statement[] = []
  #parts: (string | Code)[] = []

  /** Nothing of what is written is wanted. */
  readonly #drops: boolean

  constructor(target: string | null, bytes: Body['bytes'] = null, drops = false) {
    this.#drops = drops
    this.target = target
    this.bytes = bytes
  }

  /** All statements; what was printed last is one of them. */
  get statements(): readonly Statement[] {
    this.flush()
    return this.#statements
  }

  /** Adds text to what is printed next. */
  text(text: string): void {
    if (text === '' || this.target === null || this.#drops) return
    const last = this.#parts.at(-1)
    if (typeof last === 'string') this.#parts[this.#parts.length - 1] = last + text
    else this.#parts.push(text)
  }

  /** Adds the value of `code`, a string, to what is printed next. */
  print(code: Code, span: Span): void {
    if (this.target !== null && !this.#drops) this.#parts.push(placed(code, span))
  }

  add(...statements: readonly Statement[]): void {
    if (this.#drops) return
    this.flush()
    for (const statement of statements) this.#statements.push(statement)
  }

  /** Writes what was printed so far: one statement, or in front of and behind each long text that goes to the sink as bytes. */
  flush(): void {
    const parts = this.#parts
    if (parts.length === 0) return
    this.#parts = []
    if (this.bytes === null || this.target !== 'out') return this.#append(parts)
    let from = 0
    for (const [at, part] of parts.entries()) {
      if (typeof part !== 'string' || part.length < LONG_TEXT) continue
      this.#append(parts.slice(from, at))
      const written = invoke(ident('writeText'), SINK, OUT, WRITTEN)
      this.#statements.push(assign(WRITTEN, invoke(ident('writeBytes'), SINK, this.bytes(part), written)), EMPTY_OUT)
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

/** What a face's function keeps its text in, and where one that prints into a sink puts it. */
export const OUT = ident('out')
export const SINK = ident('sink')
export const WRITTEN = ident('written')
/** `out = ''`: what it held is written. */
export const EMPTY_OUT = assign(OUT, string(''))
