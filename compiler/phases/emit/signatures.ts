/** The known signatures of the functions of templates. */
import type { EntryPoint } from '../../core/model/effects.ts'
import { UNKNOWN_VALUE, type ValueType, valueTypeKey } from '../../core/model/value-type.ts'
import { derived } from '../../core/model/derived.ts'

export interface EntryPointParameter {
  readonly name: string
  readonly type: ValueType
}

export interface PartialSignature {
  /** The parameters after the render; null if the function takes an object of variables. */
  readonly parameters: readonly EntryPointParameter[] | null
  /** The result of `function`. */
  readonly result: ValueType
  /** The positions of the parameters that may be returned instead. */
  readonly returned: readonly number[]
}

/** The signature of a function whose template is not yet emitted, because of a cycle of calls. */
const OPEN_SIGNATURE: PartialSignature = { parameters: null, result: UNKNOWN_VALUE, returned: [] }

/** The maximum number of separate arguments. More values are passed in an object. */
export const MAX_PARAMETERS = 8

/** Returns the key of a function of a template. */
export function entryPointKey(file: string, entryPoint: EntryPoint): string {
  return `${entryPoint} ${file}`
}

export interface Signatures {
  /** Returns the signature of an entry point. An entry point without a known signature takes an object of variables. */
  readonly of: (file: string, entryPoint: EntryPoint) => PartialSignature
  /** Returns whether the entry points of a template take an object of variables, because a caller is emitted before them. */
  readonly isOpen: (file: string) => boolean
}

/**
 * Returns the signatures of emitted templates.
 * @param emitted the templates by file. More may be added later
 * @param inCycles files with a caller that is emitted before them
 */
export function signaturesOf(
  emitted: ReadonlyMap<string, { readonly entryPoints: ReadonlyMap<EntryPoint, PartialSignature> }>,
  inCycles: ReadonlySet<string>,
): Signatures {
  const isOpen = (file: string) => inCycles.has(file)
  return {
    isOpen,
    of: (file, entryPoint) =>
      (isOpen(file) ? undefined : emitted.get(file)?.entryPoints.get(entryPoint)) ?? OPEN_SIGNATURE,
  }
}

/** Returns a signature as a text. Equal signatures have the same text. */
export const signatureKey = derived(({ parameters, result, returned }: PartialSignature): string => {
  const parameterKey = parameters?.map(({ name, type }) => `${name} ${valueTypeKey(type)}`).join(', ') ?? 'open'
  return `${parameterKey} -> ${[valueTypeKey(result), ...returned].join(' ')}`
})
