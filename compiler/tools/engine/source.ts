/** Sources of an engine's files: a record, a map, a folder, or a function that takes a name. */

/** Returns the text for a name, or null if there is none. */
export type TextFunction = (name: string) => string | null | undefined | Promise<string | null | undefined>

/** A folder, or another source that can list its files. */
export interface TextFolder {
  /** Returns the names of all files. */
  names(): Iterable<string>
  /** Returns the text of a file; null if it was removed. */
  read(name: string): string | null
}

export type FileSource = Readonly<Record<string, string>> | ReadonlyMap<string, string> | TextFolder | TextFunction

/** The loaded texts of a source, by name. */
export class SourceTexts {
  readonly #source: FileSource
  readonly #known = new Map<string, string>()
  /** Names that the source function has no text for. */
  readonly #absent = new Set<string>()
  /** Files whose called files are all loaded. Missing files do not count. */
  readonly #whole = new Set<string>()

  constructor(source: FileSource) {
    this.#source = source
    this.#readAll()
  }

  get known(): ReadonlyMap<string, string> {
    return this.#known
  }

  /** Whether the source is a function that is called on demand. */
  get isAsked(): boolean {
    return typeof this.#source === 'function'
  }

  has(name: string): boolean {
    return this.#known.has(name)
  }

  /** Discards everything, or one name. A function source is called again when the file is next needed. */
  invalidate(name?: string): void {
    this.#whole.clear()
    if (name === undefined) {
      this.#known.clear()
      this.#absent.clear()
      this.#readAll()
      return
    }
    this.#absent.delete(name)
    const text = typeof this.#source === 'function' ? null : textIn(this.#source, name)
    if (text === null) this.#known.delete(name)
    else this.#known.set(name, text)
  }

  /**
   * Loads files, and recursively the files that they name. `namesIn` returns the names in a text.
   * @returns the number of loaded files, as a promise if the source returns one
   */
  load(names: readonly string[], namesIn: (text: string) => Iterable<string>): number | Promise<number> {
    const source = this.#source
    if (typeof source !== 'function' || names.every((name) => this.#whole.has(name))) return 0
    const waiting = [...names]
    const seen = new Set<string>()
    let loadedCount = 0
    const store = (name: string, text: string | null | undefined): void => {
      if (typeof text !== 'string') return void this.#absent.add(name)
      this.#known.set(name, text)
      loadedCount++
      waiting.push(...namesIn(text))
    }
    const loadNext = (): number | Promise<number> => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (seen.has(name) || this.#absent.has(name) || this.#whole.has(name)) continue
        const requestedName = name
        seen.add(requestedName)
        const known = this.#known.get(requestedName)
        const text: ReturnType<TextFunction> = known ?? source(requestedName)
        if (text instanceof Promise) return text.then((value) => store(requestedName, value)).then(loadNext)
        if (known === undefined) store(requestedName, text)
        else waiting.push(...namesIn(known))
      }
      for (const name of seen) this.#whole.add(name)
      return loadedCount
    }
    return loadNext()
  }

  #readAll(): void {
    const source = this.#source
    if (typeof source === 'function') return
    for (const name of namesIn(source)) {
      const text = textIn(source, name)
      if (text !== null) this.#known.set(name, text)
    }
  }
}

type WholeSource = Exclude<FileSource, TextFunction>

function isFolder(source: WholeSource): source is TextFolder {
  return (
    'names' in source && typeof source.names === 'function' && 'read' in source && typeof source.read === 'function'
  )
}

function isMap(source: WholeSource): source is ReadonlyMap<string, string> {
  return source instanceof Map
}

function namesIn(source: WholeSource): Iterable<string> {
  return isMap(source) ? source.keys() : isFolder(source) ? source.names() : Object.keys(source)
}

function textIn(source: WholeSource, name: string): string | null {
  if (isMap(source)) return source.get(name) ?? null
  if (isFolder(source)) return source.read(name)
  return Object.hasOwn(source, name) ? (source[name] ?? null) : null
}
