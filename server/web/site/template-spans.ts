/** Creates spans for the partials of a traced request or job. */
import type { TemplateWatch } from '../../../runtime/page/render.ts'
import type { Span } from '../../core/contracts/tracer.ts'

/** Holds the span that new work belongs to; see `currentSpan`. */
interface SpanHolder {
  span?: Span | null
}

/** A run of a template. */
interface Run {
  readonly file: string
  readonly span: Span
  readonly parentSpan: Span
}

export class TemplateSpans implements TemplateWatch {
  readonly #holder: SpanHolder
  readonly #rootSpan: Span
  readonly #threshold: number
  readonly #open: Run[] = []

  /**
   * @param holder receives the span of the running partial, so that its queries and calls belong to it
   * @param rootSpan the span of the page, form or job
   * @param threshold milliseconds from which a partial's span is recorded
   */
  constructor(holder: SpanHolder, rootSpan: Span, threshold: number) {
    this.#holder = holder
    this.#rootSpan = rootSpan
    this.#threshold = threshold
  }

  begin(file: string): Run {
    const parentSpan = this.#holder.span ?? this.#rootSpan
    const span = parentSpan.optionalChild(`partial ${file}`, this.#threshold, { 'ingot.template': file })
    const run = { file, span, parentSpan }
    this.#open.push(run)
    this.#holder.span = span
    return run
  }

  end(run: Run): void {
    const index = this.#open.lastIndexOf(run)
    if (index >= 0) this.#leave(index)
  }

  leaveFailed(file: string): void {
    this.#leave(this.#open.findLastIndex((run) => run.file === file) + 1)
  }

  #leave(firstIndex: number): void {
    for (const { span, parentSpan } of this.#open.splice(firstIndex).reverse()) {
      span.end()
      this.#holder.span = parentSpan
    }
  }
}
