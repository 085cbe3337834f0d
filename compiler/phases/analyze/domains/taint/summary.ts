/** Describes what a template does with tainted values, in terms of its parameters. */
import type { FormatClass } from '../../../../core/model/effects.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Flow, NOTHING, type Taint } from './flow.ts'
import type { Danger, Place } from './places.ts'
import type { Showing } from './secrets.ts'

/**
 * How output is used: `script` is a page that is all JavaScript, `mail` is HTML for one recipient, `sent` goes to another service, and
 * `unseen` is output that no one sees, such as that of a job.
 */
export type OutputFormat = FormatClass | 'script' | 'mail' | 'sent' | 'unseen'

/** A place where others see a text: it is printed, logged or sent. */
export interface Sink {
  readonly span: Span
  readonly showing: Showing
  readonly format: OutputFormat
  /** The danger of untrusted text at this place; null if only secrets are dangerous there. */
  readonly danger: Danger | null
  readonly taints: readonly Taint[]
}

/** A value that is stored in the request, such as `session.cart` or `exports.ns.name`. */
export interface Stored {
  readonly name: string
  readonly flow: Flow
}

/** The arguments that a template passes to a callee, joined over all calls at one place in HTML. */
export interface TaintCall {
  /** The key of the callee's summary. */
  readonly callee: string
  /** The arguments by parameter name. Contains only names in the callee's `neededNames`. */
  readonly argumentFlows: ReadonlyMap<string, Flow>
}

/** The part of a summary that callers use. */
export interface CallerSummary {
  /** The value that `function` returns. */
  readonly result: Flow
  /** Variables at the end of the template, used by templates that include this one. */
  readonly frame: ReadonlyMap<string, Flow>
  /** The values that the template writes into its arguments, by parameter name. */
  readonly changes: ReadonlyMap<string, Flow>
  /** Parameters whose values reach a sink or are stored in the request, in this template or in a callee. */
  readonly neededNames: ReadonlySet<string>
  /** Returns the taints of all output. */
  readonly printed: () => readonly Taint[]
  /** The place in HTML where the template ends. */
  readonly exit: Place
}

export interface Summary {
  /** Identifies the template, its output format and its place in HTML. */
  readonly key: string
  /** The part that callers use. It stays the same object after an edit that changes nothing for callers. */
  readonly forCallers: CallerSummary
  /** Sinks in the template itself. */
  readonly sinks: readonly Sink[]
  readonly storedFlows: readonly Stored[]
  /** Calls that pass a value which the callee needs. */
  readonly calls: readonly TaintCall[]
  /** Whether calls pass tainted values that do not come from the template's own parameters. */
  readonly addsTaints: boolean
}

/** Returns an empty summary, for a template that is unknown or prints nothing. */
export function emptySummary(key: string, place: Place): Summary {
  return {
    key,
    forCallers: {
      result: NOTHING,
      frame: NO_FLOWS,
      changes: NO_FLOWS,
      neededNames: NO_NAMES,
      printed: noOutput,
      exit: place,
    },
    sinks: [],
    storedFlows: [],
    calls: [],
    addsTaints: false,
  }
}

export const NO_FLOWS: ReadonlyMap<string, Flow> = new Map()
const NO_NAMES: ReadonlySet<string> = new Set()
export const noOutput = (): readonly Taint[] => []
