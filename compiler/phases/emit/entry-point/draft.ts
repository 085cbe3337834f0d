/** The body of the function that is being emitted: its current statements, block depth, and place in the HTML. */
import { invoke, type Code, ident, type Statement, string, variable } from '../../../core/model/code.ts'
import type { Span } from '../../../core/source/span.ts'
import { stateAfter, type HtmlState } from '../html-context.ts'
import { Body, OUT, SINK, TextVariable, WRITTEN } from './body.ts'
import { type EntryPointInput, hasEpilogue } from './input.ts'

export class Draft {
  /** Whether the output goes to a sink of bytes. */
  readonly usesSink: boolean
  #body: Body
  /** The text of the function; null if it returns another value. */
  readonly #out: TextVariable | null
  #blocks: readonly number[] = []
  #blockCount = 0
  /** The number of loops around the current place. */
  loopDepth = 0
  #html: HtmlState = 'content'
  /** The names of variables with captured texts, which do not change any more. */
  readonly finalTexts = new Set<string>()

  constructor(input: EntryPointInput) {
    const { entryPoint, bytes, imports } = input
    this.usesSink = bytes !== undefined
    this.#out = entryPoint === 'value' ? null : new TextVariable('out', this.usesSink || hasEpilogue(input))
    this.#body = new Body(this.#out, bytes ?? null)
    if (bytes !== undefined) imports.use('writeText')
  }

  /** The variable that printed text is appended to; null if the text is discarded. */
  get target(): TextVariable | null {
    return this.#body.target
  }

  /** The statements of the function. */
  get statements(): readonly Statement[] {
    return this.#out === null ? this.#body.statements : this.#out.withConstant(this.#body.statements)
  }

  /** The numbers of the blocks around the current place, outermost first. */
  get blocks(): readonly number[] {
    return this.#blocks
  }

  get html(): HtmlState {
    return this.#html
  }

  /** The declarations at the start of the function. */
  get head(): readonly Statement[] {
    return this.#out?.isDeclared === true && this.#out.declaration === null
      ? [variable(this.#out.name, string(''))]
      : []
  }

  /** Returns the result of a function that prints: its text, or the offset after the written bytes. */
  takeResult(): Code {
    if (!this.usesSink) return this.takeText()
    this.flush()
    return invoke(ident('writeText'), SINK, OUT, WRITTEN)
  }

  /** Returns the text of the current body, at its end. */
  takeText(): Code {
    return this.#body.takeText()
  }

  /** Declares the variable for the text before code that uses it. */
  declareTarget(): void {
    this.#body.declare()
  }

  /** Prints text of the template. */
  text(text: string): void {
    this.#body.text(text)
    this.#html = stateAfter(this.#html, text)
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
    this.#body.declare()
    return this.#writeInto(new Body(this.#body.target, this.#body.bytes), write)
  }

  /** Like `block`, for one of several branches of a tag. Each begins in the HTML context of the beginning of the tag. */
  branch(write: () => void): readonly Statement[] {
    const html = this.#html
    const statements = this.block(write)
    this.#html = html
    return statements
  }

  /** Returns the statements that `write` emits, with their text in `target`. */
  blockInto(target: TextVariable | null, write: () => void): readonly Statement[] {
    return this.#writeInto(new Body(target), write)
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
