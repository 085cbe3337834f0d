/**
 * Computes the stamps of assets that reference each other. A stylesheet changes when a referenced asset does, so stamps of references come
 * first. Files that reference each other in a cycle have stamps that depend on all of them.
 */
import { createHash } from 'node:crypto'
import { stronglyConnectedComponents } from '../../core/source/graph.ts'

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
  // Only stylesheets have references, so other assets are skipped.
  const referencedSheets = (name: string) => [...(graph.get(name) ?? [])].filter((each) => graph.has(each))
  for (const component of stronglyConnectedComponents(graph.keys(), referencedSheets)) {
    const group = component.toSorted()
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
