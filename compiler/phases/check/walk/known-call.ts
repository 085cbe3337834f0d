/** A call of a partial whose file is known, as the rules about calls see it. */
import type { Expression } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import type { DocParam, Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import type { UnitFacts } from './facts.ts'
import type { Walk } from './walk.ts'

/** A partial that a call can run. */
export interface Callee {
  /** The name in the call. */
  readonly name: string
  readonly unit: Unit
  /** Undefined if the partial has not been checked. */
  readonly facts: UnitFacts | undefined
}

/** The arguments of a call, by name. */
export interface PassedArguments {
  /** The types of all arguments, also of those of `with` and `for`. */
  readonly types: ReadonlyMap<string, Type>
  /** The named arguments. */
  readonly values: ReadonlyMap<string, { readonly name: Span; readonly value: Expression }>
  /** Variables whose mutable values are passed. */
  readonly roots: readonly string[]
}

export interface KnownCall extends Callee {
  readonly call: PartialCall
  /** The parameters that the partial declares, by name; empty if it declares none. */
  readonly declared: ReadonlyMap<string, DocParam>
  readonly passed: PassedArguments
}

/** Names that loops define. */
export const LOOP_NAMES: ReadonlySet<string> = new Set(['forloop', 'tablerowloop'])

/** Returns the place of an argument's name, or of the whole call for null. */
export function spanOfArgument({ call, passed }: KnownCall, name: string | null): Span {
  return (name === null ? undefined : passed.values.get(name)?.name) ?? call.span
}

/** Returns whether a name definitely has no value here. */
export function isUnset(walk: Walk, name: string): boolean {
  return walk.env.closed && !walk.isSet(name) && walk.absent(name).kind === 'nil'
}
