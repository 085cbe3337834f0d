/** Where the tags of a text begin: a statement of a liquid tag may stand thousands of lines behind it, and is asked for its tag often. */
export class Openings {
  readonly #text: string
  readonly #offsets: readonly number[]

  constructor(text: string) {
    this.#text = text
    const offsets: number[] = []
    for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at + 1)) offsets.push(at)
    this.#offsets = offsets
  }

  /** The tag that an offset stands in; -1 where a tag begins there, and in front of all. */
  around(offset: number): number {
    if (this.#text.startsWith('{%', offset)) return -1
    let [low, high] = [0, this.#offsets.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#offsets[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return this.#offsets[low - 1] ?? -1
  }
}
