/** Finds what differs between two reads of a site, so that open pages change only what they show. */
import type { ServedAssets } from '../../core/model/asset.ts'
import type { Module } from '../../core/model/module.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** The changes that a build contains. */
export interface SavedChanges {
  /** Paths of the added, changed and removed files, and of the files whose code has changed because of them. Without assets. */
  readonly files: readonly string[]
  /** The added, changed and removed assets, with the stamp that their URL has now; null for a removed asset. */
  readonly assets: readonly { readonly name: string; readonly stamp: string | null }[]
}

/** A site as it was built. */
export interface BuiltState {
  readonly site: DiscoveredSite
  readonly served: ServedAssets
}

/**
 * Returns the changes between two built states.
 * @param changedModules the modules whose code differs
 */
export function savedChanges(before: BuiltState, now: BuiltState, changedModules: readonly Module[]): SavedChanges {
  const remaining = new Set(now.site.files.map(({ path }) => path))
  const kinds = new Map([...before.site.files, ...now.site.files].map(({ path, kind }) => [path, kind]))
  const removed = before.site.files.map(({ path }) => path).filter((path) => !remaining.has(path))
  const affected = changedModules.flatMap(({ source }) => (source === null ? [] : [source]))
  const files = [...new Set([...changedFiles(before.site, now.site), ...removed, ...affected])]
  const names = new Set([...before.served.keys(), ...now.served.keys()])
  const assets = [...names]
    .map((name) => ({ name, stamp: now.served.get(name)?.stamp ?? null }))
    .filter(({ name, stamp }) => stamp !== (before.served.get(name)?.stamp ?? null))
  return { files: files.filter((path) => kinds.get(path) !== 'asset'), assets }
}

/** Returns the files that were added or changed. */
export function changedFiles(before: DiscoveredSite, now: DiscoveredSite): ReadonlySet<string> {
  const others = now.files.filter((file, at) => file !== before.files[at])
  if (others.length === 0) return new Set()
  const known = new Map(before.files.map((file) => [file.path, file]))
  const isChanged = ({ path, text, unreadable }: SourceFile): boolean => {
    const oldFile = known.get(path)
    return oldFile?.text !== text || oldFile.unreadable !== unreadable
  }
  return new Set(others.filter(isChanged).map(({ path }) => path))
}
