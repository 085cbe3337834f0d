/**
 * Computes the stamps of assets that reference each other. A stylesheet changes when a referenced asset does, so stamps of references come
 * first. Files that reference each other in a cycle have stamps that depend on all of them.
 */
import { createHash } from 'node:crypto'

/** Number of hexadecimal digits of a digest in a URL. It is large enough to make collisions improbable. */
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

/** Stamps the stylesheets. Each stylesheet comes after those that it references. */
export function stampStylesheets({
  graph,
  withReferences: stampSheet,
  stamps,
}: StampInput): ReadonlyMap<string, Stamped> {
  const stamped = new Map<string, Stamped>()
  const stampOf = (name: string) => stamps.get(name) ?? stamped.get(name)?.stamp ?? null
  for (const group of stronglyConnectedComponents(graph)) {
    const [only] = group
    if (group.length === 1 && only !== undefined) {
      const bytes = stampSheet(only, stampOf)
      stamped.set(only, { bytes, stamp: stampOfDigest(digestOf(bytes)) })
      continue
    }
    // In a cycle, the URLs depend on each other. The digest therefore covers the texts without stamps.
    const digests = group.map((name) => `${name}\0${digestOf(stampSheet(name, stampOf))}`)
    const cycleStamps = new Map(group.map((name) => [name, stampOfDigest(digestOf([name, ...digests].join('\n')))]))
    const stampInCycle = (name: string) => cycleStamps.get(name) ?? stampOf(name)
    for (const [name, stamp] of cycleStamps) stamped.set(name, { bytes: stampSheet(name, stampInCycle), stamp })
  }
  return stamped
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
  const state: TarjanState = { graph, index: new Map(), low: new Map(), stack: [], groups: [] }
  for (const name of graph.keys()) if (!state.index.has(name)) visitFrom(state, name)
  return state.groups.map((group) => group.sort())
}

/** Visits the nodes that can be reached from `first`. Iterative, because stylesheets can import each other in a chain of any length. */
function visitFrom(state: TarjanState, first: string): void {
  const path: { readonly name: string; readonly rest: Iterator<string> }[] = []
  const enter = (name: string): void => {
    state.low.set(name, state.index.size)
    state.index.set(name, state.index.size)
    state.stack.push(name)
    path.push({ name, rest: (state.graph.get(name) ?? new Set<string>()).values() })
  }
  enter(first)
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { name, rest } = top
    const { done, value } = rest.next()
    if (done !== true) {
      // Only stylesheets have references, so other assets are skipped.
      if (!state.graph.has(value)) continue
      const index = state.index.get(value)
      if (index === undefined) enter(value)
      else if (state.stack.includes(value)) lowerLink(state, name, index)
      continue
    }
    path.pop()
    const parent = path.at(-1)
    const low = state.low.get(name)
    if (parent !== undefined && low !== undefined) lowerLink(state, parent.name, low)
    if (low === state.index.get(name)) state.groups.push(state.stack.splice(state.stack.indexOf(name)))
  }
}

function lowerLink(state: TarjanState, name: string, to: number): void {
  state.low.set(name, Math.min(state.low.get(name) ?? to, to))
}
