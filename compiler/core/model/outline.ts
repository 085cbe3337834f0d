/** The outline of a template: the variables in its frame, its calls and its side effects. It is data alone, so that it outlives the tree. */
import type { Span } from '../source/span.ts'
import type { LiteralValue } from '../tree/ast.ts'

/** The known beginning and end of a text. `exact`: the text has no other parts, and `prefix` is the whole text. */
export interface TextPattern {
  readonly prefix: string
  readonly suffix: string
  readonly exact: boolean
}

/** Returns whether a name begins with the prefix and ends with the suffix, without an overlap. */
export function hasEnds(name: string, prefix: string, suffix: string): boolean {
  return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
}

/** Returns whether a name matches one of the patterns. */
export function fits(name: string, patterns: readonly TextPattern[]): boolean {
  return patterns.some(({ prefix, suffix, exact }) => (exact ? name === prefix : hasEnds(name, prefix, suffix)))
}

/** Returns the variable that `with` sets if the call does not name one: `cards/user` binds `user`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

export interface OutlineCall {
  readonly kind: 'render' | 'include' | 'function' | 'background' | 'theme'
  /** Where the name is. It identifies the call. */
  readonly nameSpan: Span
  /** The name, if it is a literal string. */
  readonly literal: string | null
  /** The possible patterns of a computed name, from the assignments in the template; null if unknown. */
  readonly patterns: readonly TextPattern[] | null
  /** The variable whose values the patterns describe; null if they describe the name in the call itself. */
  readonly variable: string | null
  /** The passed names: arguments, and the variable of `with`. */
  readonly passedNames: ReadonlySet<string>
  /** Loop variables that hide outer variables at the call. */
  readonly hidden: ReadonlySet<string>
  /** Whether the call is in a loop of its own template. */
  readonly inLoop: boolean
  /** Variables that the template binds before the call, in text order. */
  readonly boundBefore: ReadonlySet<string>
}

/** A query that the template runs: the name of a stored query (null if computed), or the place of an inline query. */
export type OutlineQuery =
  | { readonly kind: 'stored'; readonly literal: string | null }
  | { readonly kind: 'inline'; readonly span: Span }

/** What decides the type of an assigned expression: it is a literal, or this filter is its last one. Null for everything else. */
export type AssignedForm = { readonly literal: LiteralValue } | { readonly filter: string } | null

/** How a variable is used. `Value`: the information about each assigned value. */
export interface NameUse<Value> {
  /** Whether the variable is set before it is read, and not used after the block in which it is first set. */
  readonly begins: boolean
  /** All values that are assigned to the variable. */
  readonly values: readonly Value[]
  /** The number of reads of a field of the variable. `wholeReads`: the number of all other reads. */
  readonly fieldReads: number
  readonly wholeReads: number
}

export interface Outline {
  /** The names that are read from the frame, with the place of the first read. */
  readonly reads: ReadonlyMap<string, Span>
  /** The names that are written to the frame, with the number of writes. */
  readonly writes: ReadonlyMap<string, number>
  /** The uses of variables with the forms of their values. A loop variable is called `loop 1 name`. */
  readonly uses: ReadonlyMap<string, NameUse<AssignedForm>>
  /** Whether the template prints text or values. */
  readonly prints: boolean
  readonly counters: ReadonlySet<string>
  /** Whether the template reads variables with names that are only known at run time, such as `self` or `[name]` in base Liquid. */
  readonly readsSelf: boolean
  /** Whether the template reads the parent of one of its loops. */
  readonly asksParent: boolean
  /** Whether the template uses counters, cycles or other state that it shares with included partials. */
  readonly registers: boolean
  readonly calls: readonly OutlineCall[]
  readonly queries: readonly OutlineQuery[]
  /** Whether the template calls an async port. */
  readonly suspends: boolean
  /** Interrupts outside of the loops of the template. */
  readonly halts: ReadonlySet<'break' | 'continue'>
  /** Whether a `return` has a value. */
  readonly returns: boolean
  /** Whether a loop continues where another one stopped. */
  readonly resumes: boolean
}
