/** The body of the function that is being written: what takes its statements, how deep its blocks are, where its text stands in the HTML. */
import { invoke, type Code, ident, type Statement } from '../../../core/model/code.ts'
import type { Span } from '../../../core/source/span.ts'
import { follow, type HtmlState } from '../html-context.ts'
import { Body, OUT, SINK, WRITTEN } from './body.ts'
import type { FaceInput } from './input.ts'
import { NO_USES } from './variable-uses.ts'

export class Draft {
  /** Whether what is printed goes to a sink of bytes. */
  readonly sinks: boolean
  #body: Body
  #blocks: readonly number[] = []
  #blockCount = 0
  #html: HtmlState = 'content'
  /** What is written is kept; the first writing only finds out how variables are used. */
  readonly #isForGood: boolean

  constructor({ face, bytes, imports, uses }: FaceInput) {
    this.#isForGood = uses !== NO_USES
    this.sinks = bytes !== undefined
    this.#body = new Body(face === 'value' ? null : 'out', bytes ?? null, !this.#isForGood)
    if (bytes !== undefined) imports.use('writeText')
  }

  /** The variable that printed text is added to; null where it is thrown away. */
  get target(): string | null {
    return this.#body.target
  }

  /** The statements of the body that is written now. */
  get statements(): readonly Statement[] {
    return this.#body.statements
  }

  /** Numbers of the blocks around what is written now, outermost first. */
  get blocks(): readonly number[] {
    return this.#blocks
  }

  get html(): HtmlState {
    return this.#html
  }

  /** What a function that prints gives: its text, or the offset behind what it wrote. */
  get printed(): Code {
    return this.sinks ? invoke(ident('writeText'), SINK, OUT, WRITTEN) : OUT
  }

  /** Prints text that the author wrote. */
  text(text: string): void {
    this.#body.text(text)
    if (this.#isForGood) this.#html = follow(this.#html, text)
  }

  /** Prints the value of `code`, a string. */
  print(code: Code, span: Span): void {
    this.#body.print(code, span)
  }

  /** Makes what was printed so far a statement, so that it stays when the next one fails. */
  flush(): void {
    this.#body.flush()
  }

  add(...statements: readonly Statement[]): void {
    this.#body.add(...statements)
  }

  /** The statements that `write` writes. */
  block(write: () => void): readonly Statement[] {
    this.#body.flush()
    return this.#inside(new Body(this.#body.target, this.#body.bytes, !this.#isForGood), write)
  }

  /** `block` for one of several that begin where their tag began in the HTML. */
  branch(write: () => void): readonly Statement[] {
    const html = this.#html
    const statements = this.block(write)
    this.#html = html
    return statements
  }

  /** The statements that `write` writes, whose text goes to `target`. */
  aside(target: string | null, write: () => void): readonly Statement[] {
    return this.#inside(new Body(target, null, !this.#isForGood), write)
  }

  #inside(body: Body, write: () => void): readonly Statement[] {
    const outer = this.#body
    const blocks = this.#blocks
    this.#body = body
    this.#blocks = [...blocks, ++this.#blockCount]
    write()
    this.#blocks = blocks
    this.#body = outer
    return body.statements
  }

  /** Writes `body` as text that stands by itself, wherever the text around it is in the HTML. */
  detached(body: () => void): void {
    const html = this.#html
    this.#html = 'content'
    body()
    this.#html = html
  }
}
