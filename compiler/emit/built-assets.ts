/** Assets whose text is not the file's own, because it holds template values: the build brings them along. */
import type { SourceFile } from '../source/file.ts'

/** Folder of them in a build. */
export const BUILT_ASSETS = 'assets'

/** Path of one below the folder of the build. */
export function builtAssetPath(path: string): string {
  return `${BUILT_ASSETS}/${path}`
}

/** Paths below the folder of the build, with their texts. */
export function builtAssets(files: readonly SourceFile[]): readonly (readonly [string, string])[] {
  return files
    .filter(({ kind, written }) => kind === 'asset' && written !== undefined)
    .map(({ path, text }) => [builtAssetPath(path), text])
}
