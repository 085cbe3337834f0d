/** Compiles texts that are not files of the engine, and caches the most recently used ones. */
import { strayPartial } from '../../core/source/from-texts.ts'
import { Compilation } from './compilation.ts'
import type { Library } from './library.ts'
import type { EngineSetup } from './setup.ts'

/** The name in errors of a text that is not a file. */
export const TEXT_NAME = '(text)'

export class TextCache {
  readonly #setup: EngineSetup
  readonly #library: Library
  readonly #most: number
  readonly #compilations = new Map<string, Compilation>()
  #version = 0

  /** @param maxTexts maximum number of cached texts */
  constructor(setup: EngineSetup, library: Library, maxTexts: number) {
    this.#setup = setup
    this.#library = library
    this.#most = maxTexts
  }

  /** Returns the compiled text, together with the files that it can reach. */
  compiled(text: string): Compilation {
    // A file that the text was compiled with may have changed.
    if (this.#version !== this.#library.version) this.#compilations.clear()
    this.#version = this.#library.version
    const known = this.#compilations.get(text)
    // Moves the text to the end of the map: the most recently used one is last.
    if (known !== undefined) this.#compilations.delete(text)
    const compilation =
      known ?? new Compilation([strayPartial(TEXT_NAME, text), ...this.#library.reachedFrom(text)], this.#setup)
    this.#compilations.set(text, compilation)
    if (this.#compilations.size > this.#most) this.#compilations.delete(this.#compilations.keys().next().value ?? text)
    return compilation
  }
}
