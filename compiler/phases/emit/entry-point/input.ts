/** The input for emitting one entry point: the entry point, and the known information about it. */
import type { Node } from '../../../core/tree/ast.ts'
import type { Code } from '../../../core/model/code.ts'
import type { Outline } from '../../../core/model/outline.ts'
import type { Effects, EntryPoint } from '../../../core/model/effects.ts'
import type { TemplateFacts } from '../../../core/model/facts.ts'
import type { EmitContext } from '../context.ts'
import type { ValueType } from '../../../core/model/value-type.ts'
import type { Imports } from '../imports.ts'
import type { AssumedUses } from './variable-uses.ts'

export interface EntryPointInput {
  readonly context: EmitContext
  readonly file: string
  readonly nodes: readonly Node[]
  readonly entryPoint: EntryPoint
  /** Whether the host runs the template directly, so that no template passes its scope. */
  readonly isRunByHost: boolean
  /** The name of the emitted function. */
  readonly name: string
  readonly outline: Outline
  readonly effects: Effects
  /** The imports of the module. Emitting adds to them. */
  readonly imports: Imports
  /** Returns the definite types of the nodes of the template, which are computed on request. */
  readonly types: () => TemplateFacts['types'] | undefined
  /** The names that callers may pass; null if that may be any name. */
  readonly passedNames: Pick<ReadonlySet<string>, 'has'> | null
  /** The types of the values that callers pass as separate arguments; null if they pass an object. */
  readonly parameters: ReadonlyMap<string, ValueType> | null
  /** The type of `form`, if the host provides the form of the file. */
  readonly form: ValueType | null
  /** The assumed uses of the function's variables. */
  readonly uses: AssumedUses
  /** Paths that must not be compared with `===`, found by `Comparisons`. */
  readonly refusedPaths?: ReadonlySet<string>
  /** For a function that prints to a byte sink: returns the constant with the bytes of a text. */
  readonly bytes?: (text: string) => Code
}

/** Returns whether the function has statements after its body, so that it is left by a jump to the end of the body. */
export function hasEpilogue(input: EntryPointInput): boolean {
  return input.entryPoint === 'shared' || input.effects.recursive || isWatched(input)
}

/** Returns whether no template calls the function. */
export function isCalledByHost({ context, file, entryPoint, bytes }: EntryPointInput): boolean {
  const kind = context.site.byFile.get(file)?.file.kind
  return entryPoint === 'render' && bytes === undefined && kind !== 'partial' && kind !== 'layout'
}

/**
 * Returns whether the function reports its begin and end to the render, to measure durations. Only async partials and layouts do this. The
 * host measures pages, and code that is not async counts as part of its caller.
 */
export function isWatched({ context, effects, isRunByHost }: EntryPointInput): boolean {
  return effects.suspends && !isRunByHost && context.site.dialect === 'platform'
}
