/** How the functions of templates are called: what they take, and what they give, as far as that is known. */
import type { Face } from '../../core/model/effects.ts'
import { UNKNOWN_VALUE, type ValueType, valueTypeKey } from '../../core/model/value-type.ts'

export interface FaceParameter {
  readonly name: string
  readonly type: ValueType
}

export interface FaceSignature {
  /** What it takes one by one behind the render; null for one that takes an object of variables. */
  readonly parameters: readonly FaceParameter[] | null
  /** What `function` gets. */
  readonly result: ValueType
}

/** Of a function whose template is not written yet, since both call each other. */
const OPEN_SIGNATURE: FaceSignature = { parameters: null, result: UNKNOWN_VALUE }

/** More values than this are handed over in an object. */
export const MAX_PARAMETERS = 8

/** Which function of which template. */
export function faceKey(file: string, face: Face): string {
  return `${face} ${file}`
}

export class Signatures {
  #known = new Map<string, FaceSignature>()
  #open = new Set<string>()

  /** The signature of a face. One that nobody told yet takes an object of variables. */
  readonly of = (file: string, face: Face): FaceSignature => this.#known.get(faceKey(file, face)) ?? OPEN_SIGNATURE

  /** From here on the faces of a template take an object of variables: something that calls them is written before them. */
  open(file: string): void {
    this.#open.add(file)
  }

  isOpen(file: string): boolean {
    return this.#open.has(file)
  }

  /** From here on all signatures are those that others know, which are not asked any more. */
  takeOver(others: Signatures): void {
    this.#known = others.#known
    this.#open = others.#open
  }

  tell(file: string, face: Face, signature: FaceSignature): void {
    this.#known.set(faceKey(file, face), signature)
  }
}

const KEYS = new WeakMap<FaceSignature, string>()

/** A signature as a text that equal signatures share. */
export function signatureKey(signature: FaceSignature): string {
  let key = KEYS.get(signature)
  if (key === undefined) {
    const { parameters, result } = signature
    const taken = parameters?.map(({ name, type }) => `${name} ${valueTypeKey(type)}`).join(', ') ?? 'open'
    key = `${taken} -> ${valueTypeKey(result)}`
    KEYS.set(signature, key)
  }
  return key
}
