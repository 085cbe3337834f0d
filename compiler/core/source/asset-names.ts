/** Which file an asset's URL means where several have its name. */
import type { SourceFile } from './file.ts'

/** The assets by their path below `/assets/`: the application's override comes before the module's file, and public before private. */
export function assetsByName(files: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  const assets = files.filter(({ kind }) => kind === 'asset').sort((a, b) => rank(b) - rank(a))
  return new Map(assets.map((file) => [file.name, file]))
}

function rank({ override, visibility }: SourceFile): number {
  return (override ? 0 : 2) + (visibility === 'private' ? 1 : 0)
}
