/** Selects the file of an asset URL if several files have its name. */
import type { SourceFile } from './file.ts'

/**
 * Returns the assets by their path below `/assets/`. Overrides in the application come before module files, and public files before
 * private ones.
 */
export function assetsByName(files: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  const assets = files.filter(({ kind }) => kind === 'asset').sort((a, b) => rank(b) - rank(a))
  return new Map(assets.map((file) => [file.name, file]))
}

function rank({ override, visibility }: SourceFile): number {
  return (override ? 0 : 2) + (visibility === 'private' ? 1 : 0)
}
