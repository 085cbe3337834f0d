/** An index of the offsets at which tags begin. A `liquid` tag can have thousands of lines, and each of its statements is looked up. */
import { lastIndexUpTo } from '../../core/source/file.ts'

export class TagIndex {
  readonly #text: string
  readonly #offsets: readonly number[]

  constructor(text: string) {
    this.#text = text
    const offsets: number[] = []
    for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at + 1)) offsets.push(at)
    this.#offsets = offsets
  }

  /** Returns the start of the tag that contains the offset. Returns -1 if a tag begins there, or if no tag precedes it. */
  tagAround(offset: number): number {
    if (this.#text.startsWith('{%', offset)) return -1
    return this.#offsets[lastIndexUpTo(this.#offsets, offset)] ?? -1
  }
}
