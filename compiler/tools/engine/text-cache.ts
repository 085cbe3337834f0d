/** Texts that are rendered without being files of the engine. Those that were used last stay compiled. */
import { strayPartial } from '../../core/source/from-texts.ts'
import { Compilation } from './compilation.ts'
import type { Library } from './library.ts'
import type { EngineSetup } from './setup.ts'

/** What errors call a text that has no name. */
export const TEXT_NAME = '(text)'

export class TextCache {
  readonly #setup: EngineSetup
  readonly #library: Library
  readonly #most: number
  readonly #kept = new Map<string, Compilation>()
  #version = 0

  /** @param most how many texts are kept */
  constructor(setup: EngineSetup, library: Library, most: number) {
    this.#setup = setup
    this.#library = library
    this.#most = most
  }

  /** The compiled text, beside the files that it can reach. */
  compiled(text: string): Compilation {
    // A text may have been compiled with files that have changed since.
    if (this.#version !== this.#library.version) this.#kept.clear()
    this.#version = this.#library.version
    const known = this.#kept.get(text)
    // The last one is the one that was used last.
    if (known !== undefined) this.#kept.delete(text)
    const compilation =
      known ?? new Compilation([strayPartial(TEXT_NAME, text), ...this.#library.reachedFrom(text)], this.#setup)
    this.#kept.set(text, compilation)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value ?? text)
    return compilation
  }
}
