/** A map whose copies share their entries until one copy changes. Most paths through a template set no variable. */
export class CopyOnWriteMap<Key, Value> implements Iterable<[Key, Value]> {
  #entries: Map<Key, Value>
  /** Whether another map may share the entries. */
  #isShared: boolean

  constructor(from?: CopyOnWriteMap<Key, Value>) {
    this.#entries = from === undefined ? new Map() : from.#entries
    this.#isShared = from !== undefined
    if (from !== undefined) from.#isShared = true
  }

  /** Returns a copy that can be changed without changing this map. */
  copy(): CopyOnWriteMap<Key, Value> {
    return new CopyOnWriteMap(this)
  }

  /** Returns whether two maps still share their entries because neither has changed since one was copied. */
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
