/** The interface between expressions and the function that is being emitted: the meaning of names, and available imports. */
import type { Accessor, FilterCall } from '../../core/tree/ast.ts'
import type { Code } from '../../core/model/code.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { ValueNode } from '../../core/model/facts.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import type { CountedKind } from './coverage.ts'

export interface Resolver {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Whether a missing variable, or a missing key of a hash, is an error. */
  readonly strictVariables: boolean
  /** Whether a filter that base Liquid does not have is an error. */
  readonly strictFilters: boolean
  /** Whether the host may pass values that are not plain data. */
  readonly takesHosted: boolean
  use(name: string): Code
  useFilter(signature: FilterSignature): Code
  /** The render object, which most runtime functions need. */
  readonly render: Code
  /** Returns a call of `callee` that gives a default value if the filter rejects an argument; null if faults are not replaced here. */
  attemptCode(filter: FilterCall, signature: FilterSignature, callee: Code, args: readonly Code[]): Code | null
  /** Returns the code of a variable or of a loop object's field. `depth`: its number of path accessors. `isSet`: it is definitely set. */
  variable(
    name: string,
    path: readonly Accessor[],
  ): { readonly code: Code; readonly depth: number; readonly isSet: boolean }
  /** Returns whether no other variable can refer to the list that the filter adds to, so that it may grow in place. */
  canGrow(filter: FilterCall): boolean
  /** Returns the code of a variable that is passed to another template. An unset variable stays unset. */
  passedVariable(name: string): Code
  /** Returns whether the name is known in the entry point. A bare key of a hash that is a known name refers to the variable's value. */
  isKnownName(name: string): boolean
  /** Returns whether the name definitely refers to `context` or a field of it. */
  isSupplied(name: string): boolean
  /** Returns the definite type of a node wherever it is reached; undefined if it is unknown. */
  factOf(node: ValueNode): Type | undefined
  /** Returns whether TypeScript accepts a comparison of two values with `===`. */
  isComparable(one: Code, other: Code): boolean
  /** Records whether an expression is emitted by its type. */
  count(kind: CountedKind, isTyped: boolean): void
  /** Returns the code of base Liquid's `self`. */
  self(): SelfCode
}

/** Base Liquid's `self`: a variable of this name, and the view of all variables that replaces it if the variable is not set. */
export interface SelfCode {
  readonly variable: Code
  readonly view: () => Code
}
