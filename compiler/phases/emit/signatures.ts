/** The known signatures of the functions of templates. */
import type { EntryPoint } from '../../core/model/effects.ts'
import { UNKNOWN_VALUE, type ValueType, valueTypeKey } from '../../core/model/value-type.ts'

export interface EntryPointParameter {
  readonly name: string
  readonly type: ValueType
}

export interface PartialSignature {
  /** The parameters after the render; null if the function takes an object of variables. */
  readonly parameters: readonly EntryPointParameter[] | null
  /** The result of `function`. */
  readonly result: ValueType
}

/** The signature of a function whose template is not yet emitted, because of a cycle of calls. */
const OPEN_SIGNATURE: PartialSignature = { parameters: null, result: UNKNOWN_VALUE }

/** The maximum number of separate arguments. More values are passed in an object. */
export const MAX_PARAMETERS = 8

/** Returns the key of a function of a template. */
export function entryPointKey(file: string, entryPoint: EntryPoint): string {
  return `${entryPoint} ${file}`
}

export class Signatures {
  #emitted: ReadonlyMap<string, { readonly entryPoints: ReadonlyMap<EntryPoint, PartialSignature> }> = new Map()
  #inCycles: ReadonlySet<string> = new Set()

  /**
   * @param emitted the emitted templates by file. More may be added later
   * @param inCycles files with a caller that is emitted before them
   */
  use(
    emitted: ReadonlyMap<string, { readonly entryPoints: ReadonlyMap<EntryPoint, PartialSignature> }>,
    inCycles: ReadonlySet<string>,
  ): void {
    this.#emitted = emitted
    this.#inCycles = inCycles
  }

  /** Returns the signature of an entry point. An entry point without a known signature takes an object of variables. */
  readonly of = (file: string, entryPoint: EntryPoint): PartialSignature =>
    (this.isOpen(file) ? undefined : this.#emitted.get(file)?.entryPoints.get(entryPoint)) ?? OPEN_SIGNATURE

  /** Returns whether the entry points of a template take an object of variables, because a caller is emitted before them. */
  isOpen(file: string): boolean {
    return this.#inCycles.has(file)
  }
}

const KEYS = new WeakMap<PartialSignature, string>()

/** Returns a signature as a text. Equal signatures have the same text. */
export function signatureKey(signature: PartialSignature): string {
  let key = KEYS.get(signature)
  if (key === undefined) {
    const { parameters, result } = signature
    const parameterKey = parameters?.map(({ name, type }) => `${name} ${valueTypeKey(type)}`).join(', ') ?? 'open'
    key = `${parameterKey} -> ${valueTypeKey(result)}`
    KEYS.set(signature, key)
  }
  return key
}
