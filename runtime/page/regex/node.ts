/** The syntax tree of a Ruby regular expression, which is printed for an engine. */
import type { CharSet } from './char-set.ts'

/** Assertions, which match without consuming a character. `keep` is `\K`. */
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
      readonly minimum: number
      /** The maximum count; null when it is unlimited. */
      readonly maximum: number | null
      readonly greed: 'greedy' | 'lazy' | 'possessive'
    }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'look'; readonly isBehind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly group: number }

/** A parsed regular expression. */
export interface ParsedPattern {
  readonly root: RegexNode
  /** Whether the pattern ignores case at its start. */
  readonly ignoreCase: boolean
  /** The number of capturing groups. */
  readonly groups: number
  /** The numbers of the groups with each name. Ruby allows several groups with the same name. */
  readonly names: ReadonlyMap<string, readonly number[]>
}

/** Ruby's options `i`, `m` and `x`. */
export interface RegexOptions {
  readonly ignoreCase: boolean
  /** Ruby's `m`: a dot also matches a line feed. */
  readonly dotAll: boolean
  /** Ruby's `x`: whitespace and comments are ignored. */
  readonly extended: boolean
  /** Whether `^` and `$` match only at the ends of the text, unlike in Ruby. */
  readonly wholeText: boolean
}

export const NO_OPTIONS: RegexOptions = { ignoreCase: false, dotAll: false, extended: false, wholeText: false }
