/** What a template does with what comes from outside, in words of what its callers give it. */
import type { FormatClass } from '../../../core/model/effects.ts'
import type { Span } from '../../../core/source/span.ts'
import { type Flow, NOTHING, type Taint } from './flow.ts'
import type { Danger, Place } from './places.ts'
import type { Showing } from './secrets.ts'

/**
 * How output is written: `script` is a page that is all JavaScript, `mail` is HTML that one person gets, `sent` goes to another service, and
 * nobody gets what is `unseen`, as that of a job.
 */
export type OutputFormat = FormatClass | 'script' | 'mail' | 'sent' | 'unseen'

/** A place where others see a text: printed, logged or sent. */
export interface Sink {
  readonly span: Span
  readonly how: Showing
  readonly format: OutputFormat
  /** Null where only secrets matter. */
  readonly danger: Danger | null
  readonly taints: readonly Taint[]
}

/** A value that is kept in the request: `session.cart`, `exports.ns.name`. */
export interface Stored {
  readonly name: string
  readonly flow: Flow
}

/** What a template gives to another that it calls, joined over all calls at one place in HTML. */
export interface TaintCall {
  /** The key of its summary. */
  readonly callee: string
  /** By the names of the callee's `needs`. */
  readonly given: ReadonlyMap<string, Flow>
}

/** What a template is to those that call it. */
export interface SummaryFace {
  /** What `function` gets. */
  readonly result: Flow
  /** Variables at its end, for whoever includes it. */
  readonly frame: ReadonlyMap<string, Flow>
  /** What it writes into values that callers give, by their names. */
  readonly changes: ReadonlyMap<string, Flow>
  /** Names of what callers give that comes to a sink or is kept in the request, here or in what it calls. */
  readonly needs: ReadonlySet<string>
  /** All that it prints. */
  readonly printed: () => readonly Taint[]
  /** Where in HTML it ends. */
  readonly exit: Place
}

export interface Summary {
  /** Names the template, and how and where in HTML it is printed. */
  readonly key: string
  /** The same value as before the template was read anew, where it is still that to its callers. */
  readonly face: SummaryFace
  /** Places of its own. */
  readonly sinks: readonly Sink[]
  readonly stored: readonly Stored[]
  /** What it calls that needs something of it. */
  readonly calls: readonly TaintCall[]
  /** It gives to what it calls more than what its own callers gave. */
  readonly brings: boolean
}

/** A template of which nothing is known, or that prints nothing. */
export function nothingIn(key: string, place: Place): Summary {
  return {
    key,
    face: { result: NOTHING, frame: NO_FLOWS, changes: NO_FLOWS, needs: NO_NAMES, printed: printsNothing, exit: place },
    sinks: [],
    stored: [],
    calls: [],
    brings: false,
  }
}

export const NO_FLOWS: ReadonlyMap<string, Flow> = new Map()
const NO_NAMES: ReadonlySet<string> = new Set()
export const printsNothing = (): readonly Taint[] => []
