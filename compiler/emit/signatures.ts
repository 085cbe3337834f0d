/** How the functions of a site's templates are called, as far as that is known. */
import type { Face } from '../model/effects.ts'
import { type FaceSignature, faceKey, OPEN_SIGNATURE } from './face/signature.ts'

export class Signatures {
  readonly #known = new Map<string, FaceSignature>()
  readonly #open = new Set<string>()

  /** The signature of a face. One that nobody told yet takes an object of variables. */
  readonly of = (file: string, face: Face): FaceSignature => this.#known.get(faceKey(file, face)) ?? OPEN_SIGNATURE

  /** From here on the faces of a template take an object of variables: something that calls them is written before them. */
  open(file: string): void {
    this.#open.add(file)
  }

  isOpen(file: string): boolean {
    return this.#open.has(file)
  }

  tell(file: string, face: Face, signature: FaceSignature): void {
    this.#known.set(faceKey(file, face), signature)
  }
}
