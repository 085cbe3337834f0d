/** Creates spans for the partials of a traced request or job. */
import type { TemplateWatch } from '../../../runtime/page/render.ts'
import type { Span } from '../../core/contracts/tracer.ts'

/** Holds the span that new work belongs to; see `spanOf`. */
interface SpanHolder {
  span?: Span | null
}

/** A run of a template. */
interface Run {
  readonly file: string
  readonly span: Span
  readonly around: Span
}

export class TemplateSpans implements TemplateWatch {
  readonly #holder: SpanHolder
  readonly #whole: Span
  readonly #threshold: number
  readonly #open: Run[] = []

  /**
   * @param holder receives the span of the running partial, so that its queries and calls belong to it
   * @param whole the span of the page, form or job
   * @param threshold milliseconds from which a partial's span is recorded
   */
  constructor(holder: SpanHolder, whole: Span, threshold: number) {
    this.#holder = holder
    this.#whole = whole
    this.#threshold = threshold
  }

  begin(file: string): Run {
    const around = this.#holder.span ?? this.#whole
    const span = around.optionalChild(`partial ${file}`, this.#threshold, { 'ingot.template': file })
    const run = { file, span, around }
    this.#open.push(run)
    this.#holder.span = span
    return run
  }

  end(run: Run): void {
    const at = this.#open.lastIndexOf(run)
    if (at >= 0) this.#leave(at)
  }

  caught(file: string): void {
    this.#leave(this.#open.findLastIndex((run) => run.file === file) + 1)
  }

  #leave(from: number): void {
    for (const { span, around } of this.#open.splice(from).reverse()) {
      span.end()
      this.#holder.span = around
    }
  }
}
