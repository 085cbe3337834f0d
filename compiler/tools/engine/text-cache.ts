/** Compiles texts that are not files of the engine, and caches the most recently used ones. */
import { strayPartial } from '../../core/source/from-texts.ts'
import { Compilation } from './compilation.ts'
import type { Library } from './library.ts'
import type { EngineSetup } from './setup.ts'

/** The name of such a text in errors. */
export const TEXT_NAME = '(text)'

export class TextCache {
  readonly #setup: EngineSetup
  readonly #library: Library
  readonly #most: number
  readonly #kept = new Map<string, Compilation>()
  #version = 0

  /** @param most maximum number of cached texts */
  constructor(setup: EngineSetup, library: Library, most: number) {
    this.#setup = setup
    this.#library = library
    this.#most = most
  }

  /** Returns the compiled text, together with the files that it can reach. */
  compiled(text: string): Compilation {
    // A file that the text was compiled with may have changed.
    if (this.#version !== this.#library.version) this.#kept.clear()
    this.#version = this.#library.version
    const known = this.#kept.get(text)
    // Moves the text to the end of the map: the most recently used one is last.
    if (known !== undefined) this.#kept.delete(text)
    const compilation =
      known ?? new Compilation([strayPartial(TEXT_NAME, text), ...this.#library.reachedFrom(text)], this.#setup)
    this.#kept.set(text, compilation)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value ?? text)
    return compilation
  }
}
