/** The known signatures of the functions of templates. */
import type { Face } from '../../core/model/effects.ts'
import { UNKNOWN_VALUE, type ValueType, valueTypeKey } from '../../core/model/value-type.ts'

export interface FaceParameter {
  readonly name: string
  readonly type: ValueType
}

export interface FaceSignature {
  /** The parameters after the render; null if the function takes an object of variables. */
  readonly parameters: readonly FaceParameter[] | null
  /** The result of `function`. */
  readonly result: ValueType
}

/** The signature of a function whose template is not yet emitted, because of a cycle of calls. */
const OPEN_SIGNATURE: FaceSignature = { parameters: null, result: UNKNOWN_VALUE }

/** The maximum number of separate arguments. More values are passed in an object. */
export const MAX_PARAMETERS = 8

/** Returns the key of a function of a template. */
export function faceKey(file: string, face: Face): string {
  return `${face} ${file}`
}

export class Signatures {
  #signatures = new Map<string, FaceSignature>()
  #openFiles = new Set<string>()

  /** Returns the signature of a face. A face without a known signature takes an object of variables. */
  readonly of = (file: string, face: Face): FaceSignature => this.#signatures.get(faceKey(file, face)) ?? OPEN_SIGNATURE

  /** Makes the faces of a template take an object of variables, because a caller is emitted before them. */
  markOpen(file: string): void {
    this.#openFiles.add(file)
  }

  isOpen(file: string): boolean {
    return this.#openFiles.has(file)
  }

  /** Shares all signatures of `others`, which must not be used after that. */
  adopt(others: Signatures): void {
    this.#signatures = others.#signatures
    this.#openFiles = others.#openFiles
  }

  set(file: string, face: Face, signature: FaceSignature): void {
    this.#signatures.set(faceKey(file, face), signature)
  }
}

const KEYS = new WeakMap<FaceSignature, string>()

/** Returns a signature as a text. Equal signatures have the same text. */
export function signatureKey(signature: FaceSignature): string {
  let key = KEYS.get(signature)
  if (key === undefined) {
    const { parameters, result } = signature
    const parameterKey = parameters?.map(({ name, type }) => `${name} ${valueTypeKey(type)}`).join(', ') ?? 'open'
    key = `${parameterKey} -> ${valueTypeKey(result)}`
    KEYS.set(signature, key)
  }
  return key
}
