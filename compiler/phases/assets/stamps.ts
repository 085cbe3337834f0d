/**
 * The stamps of assets that name each other. A stylesheet that names others is another one when they are, so the stamps of
 * those come first; of files that name each other in a circle, each has a stamp of all.
 */
import { createHash } from 'node:crypto'

/** Digits of a digest in a URL: as many as no two files share by chance. */
const LENGTH = 16

export interface Stamped {
  readonly bytes: Uint8Array
  readonly stamp: string
}

export interface StampInput {
  /** Names of stylesheets, with the names in them. */
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>
  /** The text of a stylesheet with the stamps of what it names; what has none keeps its URL. */
  readonly written: (name: string, stampOf: (named: string) => string | null) => Uint8Array
  /** The stamps of all other assets. */
  readonly stamps: ReadonlyMap<string, string>
}

/** SHA-256 in hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function stampOfDigest(digest: string): string {
  return digest.slice(0, LENGTH)
}

/** Writes the stylesheets, each behind all that it names. */
export function stampStylesheets({ graph, written, stamps }: StampInput): ReadonlyMap<string, Stamped> {
  const done = new Map<string, Stamped>()
  const stampOf = (name: string) => stamps.get(name) ?? done.get(name)?.stamp ?? null
  for (const group of circlesOf(graph)) {
    const [only] = group
    if (group.length === 1 && only !== undefined) {
      const bytes = written(only, stampOf)
      done.set(only, { bytes, stamp: stampOfDigest(digestOf(bytes)) })
      continue
    }
    // Inside of a circle no URL is known before the others are: what the files say without those is digested.
    const said = group.map((name) => `${name}\0${digestOf(written(name, stampOf))}`)
    const circle = new Map(group.map((name) => [name, stampOfDigest(digestOf([name, ...said].join('\n')))]))
    const inCircle = (name: string) => circle.get(name) ?? stampOf(name)
    for (const [name, stamp] of circle) done.set(name, { bytes: written(name, inCircle), stamp })
  }
  return done
}

interface Walk {
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>
  readonly index: Map<string, number>
  readonly low: Map<string, number>
  readonly stack: string[]
  readonly groups: string[][]
}

/** The strongly connected parts of a graph, those that are named before those that name them (Tarjan). */
export function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const walk: Walk = { graph, index: new Map(), low: new Map(), stack: [], groups: [] }
  for (const name of graph.keys()) if (!walk.index.has(name)) visitFrom(walk, name)
  return walk.groups.map((group) => group.sort())
}

/** Without recursion: stylesheets may import each other in a chain of any length. */
function visitFrom(walk: Walk, first: string): void {
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
      // Other assets name nothing.
      if (!walk.graph.has(value)) continue
      const index = walk.index.get(value)
      if (index === undefined) enter(value)
      else if (walk.stack.includes(value)) lower(walk, name, index)
      continue
    }
    path.pop()
    const above = path.at(-1)
    const low = walk.low.get(name)
    if (above !== undefined && low !== undefined) lower(walk, above.name, low)
    if (low === walk.index.get(name)) walk.groups.push(walk.stack.splice(walk.stack.indexOf(name)))
  }
}

function lower(walk: Walk, name: string, to: number): void {
  walk.low.set(name, Math.min(walk.low.get(name) ?? to, to))
}
