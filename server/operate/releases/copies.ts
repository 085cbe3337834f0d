/**
 * Local copies of releases that are stored in the database. Each is unpacked once, into a folder that gets its name only when it is
 * complete. The layout is the same as for releases in a folder, so that assets are found in the same way.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileDigest, MANIFEST, createBuildFolder } from '../builds/build-folder.ts'
import { type Archive, unpackError, unpackInto } from '../builds/unpack.ts'
import { removeLeftovers } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { releaseDamage } from './contents.ts'
import { assetNames, writeAssetNames } from './folder.ts'

/** A release in the store. */
export interface StoredRelease {
  readonly id: string
  readonly archive: Archive
  /** Null until the release is served for the first time. */
  readonly assets: object | null
}

export class ReleaseCopies {
  readonly folder: string

  /** @param folder folder of all copies, which is created */
  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Returns the folder of a release's copy. Creates the copy when it is missing or damaged.
   * @throws StartError when it cannot be created; other errors come from reading the archive
   */
  async folderOf({ id, archive, assets }: StoredRelease): Promise<string> {
    const place = join(this.folder, id)
    try {
      await mkdir(this.folder, { recursive: true })
      if ((await releaseDamage(id, place)) !== null) {
        // A process that still serves the copy loses nothing, because the files are damaged.
        await rm(place, { recursive: true, force: true })
        await createBuildFolder(this.folder, async (unfinished) => {
          await unpackInto(archive, unfinished)
          if ((await fileDigest(join(unfinished, MANIFEST))) !== id)
            throw new StartError(`${archive.name} is damaged: push it again.`)
          return id
        })
      }
      if (assets !== null) await writeAssetNames(this.folder, id, assets)
      return place
    } catch (error) {
      throw unpackError(error, archive.name, this.folder)
    }
  }

  /** Removes copies of releases that no longer exist, and leftovers of killed processes. */
  async sweep(keptIds: ReadonlySet<string>): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    await removeLeftovers(this.folder, '.')
    for (const name of await readdir(this.folder)) {
      const id = /^([\da-f]{64})(?:\.json)?$/.exec(name)?.[1]
      if (id === undefined || keptIds.has(id)) continue
      // The asset names are removed first, so that they never point to missing files.
      await rm(assetNames(this.folder, id), { force: true })
      await rm(join(this.folder, id), { recursive: true, force: true })
    }
  }
}
