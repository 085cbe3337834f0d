/** The body of the function that is being written: the writer that takes it, how deep its blocks are, where its text stands in the HTML. */
import type { Span } from '../../source/span.ts'
import type { Code } from '../../tags/tag.ts'
import { follow, type HtmlState } from '../html-context.ts'
import { Writer } from '../writer.ts'
import type { FaceInput } from './input.ts'

export class Draft {
  /** Whether what is printed goes to a sink of bytes. */
  readonly sinks: boolean
  #writer = new Writer()
  #depth = 0
  #html: HtmlState = 'content'

  constructor({ face, bytes, imports }: FaceInput) {
    this.sinks = bytes !== undefined
    if (face === 'value') this.#writer.target = null
    if (bytes !== undefined) {
      this.#writer.bytes = bytes
      imports.use('writeText')
    }
  }

  /** The writer that takes what is written now. */
  get writer(): Writer {
    return this.#writer
  }

  /** The variable that printed text is added to; null where it is thrown away. */
  get target(): string | null {
    return this.#writer.target
  }

  /** Blocks around what is written now. */
  get depth(): number {
    return this.#depth
  }

  get html(): HtmlState {
    return this.#html
  }

  /** What a function that prints gives: its text, or the offset behind what it wrote. */
  get printed(): Code {
    return this.sinks ? 'writeText(sink, out, written)' : 'out'
  }

  /** Prints text that the author wrote. */
  text(text: string): void {
    this.#writer.text(text)
    this.#html = follow(this.#html, text)
  }

  statement(code: string, span: Span | null): void {
    this.#writer.statement(code, span)
  }

  block(head: string, span: Span | null, body: () => void, tail = ''): void {
    this.#depth++
    const html = this.#html
    this.#writer.block(head, span, body, tail)
    // Branches begin where their block began.
    if (/^(if|else)/.test(head) || head.includes('else if')) this.#html = html
    this.#depth--
  }

  /** Writes `body`, whose text goes to `target`, into a writer of its own. */
  aside(target: string | null, body: () => void): Writer {
    const outer = this.#writer
    const inner = new Writer()
    inner.target = target
    this.#writer = inner
    this.#depth++
    body()
    inner.flush()
    this.#depth--
    this.#writer = outer
    return inner
  }

  /** Writes `body` as text that stands by itself, wherever the text around it is in the HTML. */
  detached(body: () => void): void {
    const html = this.#html
    this.#html = 'content'
    body()
    this.#html = html
  }
}
