/** A map whose copies share what they hold until one of them changes: most paths through a template set nothing. */
export class CopyOnWriteMap<Key, Value> implements Iterable<[Key, Value]> {
  #entries: Map<Key, Value>
  /** Some copy may hold the same entries. */
  #isShared: boolean

  constructor(from?: CopyOnWriteMap<Key, Value>) {
    this.#entries = from === undefined ? new Map() : from.#entries
    this.#isShared = from !== undefined
    if (from !== undefined) from.#isShared = true
  }

  /** What may be changed without changing this. */
  copy(): CopyOnWriteMap<Key, Value> {
    return new CopyOnWriteMap(this)
  }

  /** Whether neither was changed since one was copied from the other. */
  isUnchangedFrom(other: CopyOnWriteMap<Key, Value>): boolean {
    return this.#entries === other.#entries
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#isShared) {
      this.#entries = new Map(this.#entries)
      this.#isShared = false
    }
    this.#entries.set(key, value)
  }

  keys(): MapIterator<Key> {
    return this.#entries.keys()
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.#entries.entries()
  }
}
