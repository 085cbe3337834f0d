/** What expressions ask the function that is being written: what names mean there, and what it may use. */
import type { Accessor, FilterCall } from '../../core/model/ast.ts'
import type { Code } from '../../core/model/code.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { ValueNode } from '../../core/model/facts.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import type { CountedKind } from './coverage.ts'

export interface Resolver {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** A variable, or a key of a hash, that is not there is an error. */
  readonly strictVariables: boolean
  /** So is a filter that base Liquid does not know. */
  readonly strictFilters: boolean
  /** A host hands in values that need not be plain data. */
  readonly takesHosted: boolean
  use(name: string): Code
  useFilter(signature: FilterSignature): Code
  /** The render, which most of the runtime's functions take. */
  readonly render: Code
  /** Where a filter that rejects what it is given gives something else in place: the call of `called` that does so, else null. */
  rejecting(filter: FilterCall, signature: FilterSignature, called: Code, args: readonly Code[]): Code | null
  /** The code of a variable; a field of a loop's object when `path` begins with one, with the number of accessors used up. `isSet`: surely something set it. */
  variable(
    name: string,
    path: readonly Accessor[],
  ): { readonly code: Code; readonly used: number; readonly isSet: boolean }
  /** Whether nobody can hold the list that the filter adds to: it may grow in place. */
  grows(filter: FilterCall): boolean
  /** The code of a variable as another template is handed it: of one that is not set, nothing stands for it. */
  handed(name: string): Code
  /** Whether the name is known in the face: a bare key of a hash then means its value. */
  knows(name: string): boolean
  /** Whether the name surely means a part of `context`, or all of it. */
  isSupplied(name: string): boolean
  /** What is sure of a part of the tree wherever it is reached. */
  factOf(node: ValueNode): Type | undefined
  /** Whether two values can be compared by `===` to TypeScript. */
  comparable(one: Code, other: Code): boolean
  /** Notes whether an expression is emitted by its type. */
  count(kind: CountedKind, isTyped: boolean): void
  /** Base Liquid's `self`. */
  self(): SelfCode
}

/** `self` of base Liquid: a variable of that name, and the variables that it means where nothing sets one. */
export interface SelfCode {
  readonly variable: Code
  readonly view: () => Code
}
