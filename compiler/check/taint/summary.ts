/** What a template does with what comes from outside, in words of what its callers give it. Data only. */
import type { FormatClass } from '../../model/effects.ts'
import type { Span } from '../../source/span.ts'
import type { Flow, Taint } from './flow.ts'
import type { Danger, Place } from './places.ts'

/** How output of a page is written: `script` is a page that is all JavaScript. */
export type OutputFormat = FormatClass | 'script'

/** A place that prints texts from outside, or writes them into the log. */
export interface Sink {
  readonly span: Span
  readonly how: 'output' | 'print' | 'log'
  /** Null where only secrets matter. */
  readonly danger: Danger | null
  readonly taints: readonly Taint[]
}

/** A value that is kept in the request: `session.cart`, `exports.ns.name`. */
export interface Stored {
  readonly name: string
  readonly flow: Flow
}

export interface Summary {
  /** What `function` gets. */
  readonly result: Flow
  /** Variables at its end, for whoever includes it. */
  readonly frame: ReadonlyMap<string, Flow>
  readonly sinks: readonly Sink[]
  readonly stored: readonly Stored[]
  /** All that it prints. */
  readonly printed: readonly Taint[]
  /** Where in HTML it ends. */
  readonly exit: Place
}
