/** Writes a build whose modules can be replaced one by one. A deployed site is served from it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PreparedAssets } from '../../phases/assets/prepare.ts'
import { finishBuild } from '../../phases/bundle/bundle.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { readModuleManifests } from '../../core/source/module-manifests.ts'
import { type PrintedModule, linkEntry } from './printed-modules.ts'

interface ReleaseInput {
  /** Folder of the site. */
  readonly root: string
  readonly modules: readonly PrintedModule[]
  readonly files: readonly SourceFile[]
  readonly assets: PreparedAssets
  /** Folder to write. It must not exist yet. */
  readonly out: string
}

/** Writes the whole build. @throws Error of the file system, with its path */
export async function writeRelease({ root, modules, files, assets, out }: ReleaseInput): Promise<void> {
  const [manifests] = await Promise.all([readModuleManifests(root), writeEntry(out, modules)])
  await finishBuild(out, { files, assets, manifests })
}

/**
 * Writes the code of a build, its source map, and the list of its modules.
 * @param out folder to write, which must not exist yet
 * @throws Error of the file system, with its path
 */
export async function writeEntry(out: string, modules: readonly PrintedModule[]): Promise<void> {
  await mkdir(out, { recursive: true })
  const { code, map, list } = linkEntry(modules)
  await Promise.all([
    writeFile(join(out, 'modules.json'), JSON.stringify(list)),
    writeFile(join(out, 'site.mjs'), `${code}//# sourceMappingURL=site.mjs.map\n`),
    writeFile(join(out, 'site.mjs.map'), map),
  ])
}
