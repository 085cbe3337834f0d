/**
 * Computes the stamps of assets that reference each other. A stylesheet changes when a referenced asset does, so stamps of references come
 * first. Files that reference each other in a cycle have stamps that depend on all of them.
 */
import { createHash } from 'node:crypto'

/** Digits of a digest in a URL. Enough to make collisions improbable. */
const STAMP_LENGTH = 16

interface Stamped {
  readonly bytes: Uint8Array
  readonly stamp: string
}

interface StampInput {
  /** Names of stylesheets, with the names that each references. */
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>
  /** Returns a stylesheet's text with stamps in its URLs. A URL without a stamp does not change. */
  readonly withReferences: (name: string, stampOf: (named: string) => string | null) => Uint8Array
  /** The stamps of all other assets. */
  readonly stamps: ReadonlyMap<string, string>
}

/** Returns the SHA-256 digest in hexadecimal. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function stampOfDigest(digest: string): string {
  return digest.slice(0, STAMP_LENGTH)
}

/** Stamps the stylesheets, each after all that it references. */
export function stampStylesheets({ graph, withReferences: written, stamps }: StampInput): ReadonlyMap<string, Stamped> {
  const done = new Map<string, Stamped>()
  const stampOf = (name: string) => stamps.get(name) ?? done.get(name)?.stamp ?? null
  for (const group of stronglyConnectedComponents(graph)) {
    const [only] = group
    if (group.length === 1 && only !== undefined) {
      const bytes = written(only, stampOf)
      done.set(only, { bytes, stamp: stampOfDigest(digestOf(bytes)) })
      continue
    }
    // In a cycle, the URLs depend on each other. The digest therefore covers the texts without them.
    const said = group.map((name) => `${name}\0${digestOf(written(name, stampOf))}`)
    const circle = new Map(group.map((name) => [name, stampOfDigest(digestOf([name, ...said].join('\n')))]))
    const inCircle = (name: string) => circle.get(name) ?? stampOf(name)
    for (const [name, stamp] of circle) done.set(name, { bytes: written(name, inCircle), stamp })
  }
  return done
}

interface TarjanState {
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>
  readonly index: Map<string, number>
  readonly low: Map<string, number>
  readonly stack: string[]
  readonly groups: string[][]
}

/** Returns the strongly connected components of a graph, referenced ones first (Tarjan's algorithm). @internal Exported for tests. */
export function stronglyConnectedComponents(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  const walk: TarjanState = { graph, index: new Map(), low: new Map(), stack: [], groups: [] }
  for (const name of graph.keys()) if (!walk.index.has(name)) visitFrom(walk, name)
  return walk.groups.map((group) => group.sort())
}

/** Iterative, because stylesheets can import each other in a chain of any length. */
function visitFrom(walk: TarjanState, first: string): void {
  const path: { readonly name: string; readonly rest: Iterator<string> }[] = []
  const enter = (name: string): void => {
    walk.low.set(name, walk.index.size)
    walk.index.set(name, walk.index.size)
    walk.stack.push(name)
    path.push({ name, rest: (walk.graph.get(name) ?? new Set<string>()).values() })
  }
  enter(first)
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { name, rest } = top
    const { done, value } = rest.next()
    if (done !== true) {
      // Other assets have no references.
      if (!walk.graph.has(value)) continue
      const index = walk.index.get(value)
      if (index === undefined) enter(value)
      else if (walk.stack.includes(value)) lowerLink(walk, name, index)
      continue
    }
    path.pop()
    const above = path.at(-1)
    const low = walk.low.get(name)
    if (above !== undefined && low !== undefined) lowerLink(walk, above.name, low)
    if (low === walk.index.get(name)) walk.groups.push(walk.stack.splice(walk.stack.indexOf(name)))
  }
}

function lowerLink(walk: TarjanState, name: string, to: number): void {
  walk.low.set(name, Math.min(walk.low.get(name) ?? to, to))
}
