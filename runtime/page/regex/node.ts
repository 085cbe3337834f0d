/** What a regular expression of Ruby says, once read: a tree that the printers write in the syntax of an engine. */
import type { CharSet } from './char-set.ts'

/** Places that match without taking a character. `keep` is `\K`. */
export type ZeroWidthAssertion =
  | 'text-start'
  | 'text-end'
  | 'text-end-line'
  | 'line-start'
  | 'line-end'
  | 'boundary'
  | 'no-boundary'
  | 'keep'

export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'line-break' }
  | { readonly kind: 'place'; readonly place: ZeroWidthAssertion }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'capture'; readonly group: number; readonly body: RegexNode }
  | { readonly kind: 'case'; readonly ignore: boolean; readonly body: RegexNode }
  | {
      readonly kind: 'repeat'
      readonly body: RegexNode
      readonly least: number
      /** Null for any number. */
      readonly most: number | null
      readonly greed: 'greedy' | 'lazy' | 'possessive'
    }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly group: number }

/** A regular expression as read. */
export interface ReadPattern {
  readonly root: RegexNode
  /** Whether letters match in either case, at the start. */
  readonly ignoreCase: boolean
  /** Number of groups that capture. */
  readonly groups: number
  /** The groups of each name; Ruby allows a name twice. */
  readonly names: ReadonlyMap<string, readonly number[]>
}

/** What Ruby's options `i`, `m` and `x` say. */
export interface RegexOptions {
  readonly ignoreCase: boolean
  /** Ruby's `m`: a dot matches the end of a line too. */
  readonly dotAll: boolean
  /** Ruby's `x`: white space and comments count for nothing. */
  readonly extended: boolean
  /** Whether `^` and `$` are the ends of the whole text, which they never are in Ruby itself. */
  readonly wholeText: boolean
}

export const NO_OPTIONS: RegexOptions = { ignoreCase: false, dotAll: false, extended: false, wholeText: false }
