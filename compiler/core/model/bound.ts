/** What binding gives for a template: which names live in its frame, and what it does beyond printing. */
import type { Span } from '../source/span.ts'
import type { Expression, TagNode } from './ast.ts'

/** What a computed name surely begins and ends with; `exact` when nothing stands between. */
export interface NamePattern {
  readonly prefix: string
  readonly suffix: string
  readonly exact: boolean
}

/** Whether a name has both ends, which do not overlap in it. */
export function hasEnds(name: string, prefix: string, suffix: string): boolean {
  return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
}

/** Whether a name can be what one of the patterns says. */
export function fits(name: string, patterns: readonly NamePattern[]): boolean {
  return patterns.some(({ prefix, suffix, exact }) => (exact ? name === prefix : hasEnds(name, prefix, suffix)))
}

/** The variable that `with` sets where the call names none: `cards/user` binds `user`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

export interface BoundCall {
  readonly kind: 'render' | 'include' | 'function' | 'background' | 'theme'
  readonly name: Expression
  /** The name when it is a literal text. */
  readonly literal: string | null
  /** What a computed name can look like, from what the template assigns to it; null when nothing is known. */
  readonly patterns: readonly NamePattern[] | null
  /** The variable whose value the patterns tell of; null where they tell of the name as it is written in the call. */
  readonly variable: string | null
  /** Names that are passed: arguments and what `with` binds. */
  readonly passed: ReadonlySet<string>
  /** Loop variables that hide outer names at the call. */
  readonly hidden: ReadonlySet<string>
  /** The call stands in a loop of its own template. */
  readonly inLoop: boolean
  /** Names that the template has bound before the call, in the order of its text. */
  readonly boundBefore: ReadonlySet<string>
  readonly node: TagNode
}

/** A query that the template runs: the name of a stored one, null where it is computed, or the place of its own text. */
export type BoundQuery =
  | { readonly kind: 'stored'; readonly literal: string | null }
  | { readonly kind: 'inline'; readonly span: Span }

/** How a variable is used. `Value`: what is known of the values that it is given. */
export interface NameUse<Value> {
  /** It is set before it is read, and nothing behind the end of the block in which that happens uses it. */
  readonly begins: boolean
  /** What it is given, wherever it is set. */
  readonly values: readonly Value[]
  /** Reads of one of its fields, and all others. */
  readonly fieldReads: number
  readonly wholeReads: number
}

export interface Bound {
  /** Names read from the frame, with the place of the first read. */
  readonly reads: ReadonlyMap<string, Span>
  /** Names written to the frame, with the number of places that write. */
  readonly writes: ReadonlyMap<string, number>
  /** How variables are used, with what is assigned to them, or null for what is set otherwise. A loop's is called `loop 1 name`. */
  readonly uses: ReadonlyMap<string, NameUse<Expression | null>>
  readonly counters: ReadonlySet<string>
  /** Reads variables whose names only the render knows, as `self` or `[name]` do in base Liquid. */
  readonly readsSelf: boolean
  /** Reads the loop around one of its own. */
  readonly asksParent: boolean
  /** Uses counters, cycles or other state that included partials share. */
  readonly registers: boolean
  readonly calls: readonly BoundCall[]
  readonly queries: readonly BoundQuery[]
  /** Reaches a port that suspends. */
  readonly suspends: boolean
  /** Interrupts outside of its loops. */
  readonly halts: ReadonlySet<'break' | 'continue'>
  /** Some `return` has a value. */
  readonly returns: boolean
  /** A loop goes on where another stopped. */
  readonly resumes: boolean
}
