/** What writing one face needs beside its parts: which face of what, and what is known of it. */
import type { Node } from '../../../core/model/ast.ts'
import type { Code } from '../../../core/model/code.ts'
import type { Bound } from '../../../core/model/bound.ts'
import type { Effects, Face } from '../../../core/model/effects.ts'
import type { TemplateFacts } from '../../../core/model/facts.ts'
import type { EmitContext } from '../context.ts'
import type { ValueType } from '../../../core/model/value-type.ts'
import type { Imports } from '../imports.ts'
import type { KnownUses } from './variable-uses.ts'

export interface FaceInput {
  readonly context: EmitContext
  readonly file: string
  readonly nodes: readonly Node[]
  readonly face: Face
  /** The host runs the template, in a scope that nobody hands in. */
  readonly ownScope: boolean
  /** The function's name. */
  readonly name: string
  readonly bound: Bound
  readonly effects: Effects
  /** Names that the module imports, added to as they are used. */
  readonly imports: Imports
  /** What is sure of the parts of the template, which is found out when it is asked for. */
  readonly types: () => TemplateFacts['types'] | undefined
  /** Names that callers may hand over; null where that may be any. */
  readonly given: Pick<ReadonlySet<string>, 'has'> | null
  /** What is known of what callers hand over one by one; null where they hand over an object. */
  readonly parameters: ReadonlyMap<string, ValueType> | null
  /** What `form` is, where the host gives the one of the file's configuration. */
  readonly form: ValueType | null
  /** How the function uses its variables, as far as that is known. */
  readonly uses: KnownUses
  /** Paths of values that are not compared by `===`, as `Comparisons` finds them. */
  readonly refused?: ReadonlySet<string>
  /** For a function that writes into a byte sink: gives the constant that holds a text's bytes. */
  readonly bytes?: (text: string) => Code
}

/** Whether the function does something behind its body, so that it is left by a jump to the body's end. */
export function hasEpilogue(input: FaceInput): boolean {
  return input.face === 'shared' || input.effects.recursive || isWatched(input)
}

/**
 * Whether the function tells the render when it begins and ends, for those who look for what takes long: partials and layouts
 * that wait for something. The host knows itself how long its pages take; what never waits is a part of who calls it.
 */
export function isWatched({ context, effects, ownScope }: FaceInput): boolean {
  return effects.suspends && !ownScope && context.site.dialect === 'platform'
}
