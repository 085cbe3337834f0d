/** The body of the function that is being emitted: its current statements, block depth, and place in the HTML. */
import { invoke, type Code, ident, type Statement } from '../../../core/model/code.ts'
import type { Span } from '../../../core/source/span.ts'
import { stateAfter, type HtmlState } from '../html-context.ts'
import { Body, OUT, SINK, WRITTEN } from './body.ts'
import type { EntryPointInput } from './input.ts'
import { NO_USES } from './variable-uses.ts'

export class Draft {
  /** Whether the output goes to a sink of bytes. */
  readonly usesSink: boolean
  #body: Body
  #blocks: readonly number[] = []
  #blockCount = 0
  #html: HtmlState = 'content'
  /** Whether the result is used. The first pass only records how variables are used. */
  readonly #isFinal: boolean

  constructor({ entryPoint, bytes, imports, uses }: EntryPointInput) {
    this.#isFinal = uses !== NO_USES
    this.usesSink = bytes !== undefined
    this.#body = new Body(entryPoint === 'value' ? null : 'out', bytes ?? null, !this.#isFinal)
    if (bytes !== undefined) imports.use('writeText')
  }

  /** The variable that printed text is appended to; null if the text is discarded. */
  get target(): string | null {
    return this.#body.target
  }

  /** The statements of the current body. */
  get statements(): readonly Statement[] {
    return this.#body.statements
  }

  /** The numbers of the blocks around the current place, outermost first. */
  get blocks(): readonly number[] {
    return this.#blocks
  }

  get html(): HtmlState {
    return this.#html
  }

  /** The result of a function that prints: its text, or the offset after the written bytes. */
  get resultCode(): Code {
    return this.usesSink ? invoke(ident('writeText'), SINK, OUT, WRITTEN) : OUT
  }

  /** Prints text of the template. */
  text(text: string): void {
    this.#body.text(text)
    if (this.#isFinal) this.#html = stateAfter(this.#html, text)
  }

  /** Prints the value of `code`, a string. */
  print(code: Code, span: Span): void {
    this.#body.print(code, span)
  }

  /** Converts the pending output to a statement, so that the output stays if the next statement fails. */
  flush(): void {
    this.#body.flush()
  }

  add(...statements: readonly Statement[]): void {
    this.#body.add(...statements)
  }

  /** Returns the statements that `write` emits. */
  block(write: () => void): readonly Statement[] {
    this.#body.flush()
    return this.#writeInto(new Body(this.#body.target, this.#body.bytes, !this.#isFinal), write)
  }

  /** Like `block`, for one of several branches of a tag. Each begins in the HTML context of the beginning of the tag. */
  branch(write: () => void): readonly Statement[] {
    const html = this.#html
    const statements = this.block(write)
    this.#html = html
    return statements
  }

  /** Returns the statements that `write` emits, with their text in `target`. */
  blockInto(target: string | null, write: () => void): readonly Statement[] {
    return this.#writeInto(new Body(target, null, !this.#isFinal), write)
  }

  #writeInto(body: Body, write: () => void): readonly Statement[] {
    const outer = this.#body
    const blocks = this.#blocks
    this.#body = body
    this.#blocks = [...blocks, ++this.#blockCount]
    write()
    this.#blocks = blocks
    this.#body = outer
    return body.statements
  }

  /** Emits `body` as separate text, independent of the surrounding HTML context. */
  writeDetached(body: () => void): void {
    const html = this.#html
    this.#html = 'content'
    body()
    this.#html = html
  }
}
