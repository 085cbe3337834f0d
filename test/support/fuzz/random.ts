/** Reproducible random choices. The same seed makes the same choices on every machine. */

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    // Mulberry32: one word of state. Neighboring seeds give unrelated numbers.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** @throws Error for an empty list */
  pick<Item>(list: readonly Item[]): Item {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }

  /** Returns an item with a probability proportional to its share. */
  weighted<Item>(list: readonly (readonly [share: number, item: Item])[]): Item {
    let at = this.next() * list.reduce((sum, [share]) => sum + share, 0)
    for (const [share, item] of list) if ((at -= share) < 0) return item
    return this.pick(list)[1]
  }
}
