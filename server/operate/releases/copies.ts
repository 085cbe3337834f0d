/**
 * Copies of releases that are kept elsewhere: each unpacked once, into a folder that has its name only when all of it is there. They
 * lie as releases in a folder do, so that their assets are found in the same way.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileDigest, MANIFEST, placeWhole } from '../builds/place.ts'
import { type Archive, unpackError, unpackInto } from '../builds/unpack.ts'
import { removeLeft } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { damageOf } from './contents.ts'
import { assetNames, writeAssetNames } from './folder.ts'

/** A release as it comes from where it is kept. */
export interface Kept {
  readonly id: string
  readonly archive: Archive
  /** Null as long as it was not served. */
  readonly assets: object | null
}

export class ReleaseCopies {
  readonly folder: string

  /** @param folder of all copies; it is made */
  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * The folder of a copy, which is made where it is not there, or not as it should be.
   * @throws StartError when it cannot be had; any other error is one of reading the archive
   */
  async of({ id, archive, assets }: Kept): Promise<string> {
    const place = join(this.folder, id)
    try {
      await mkdir(this.folder, { recursive: true })
      if ((await damageOf(id, place)) !== null) {
        // Under a process that still serves it, bytes that are wrong are no loss.
        await rm(place, { recursive: true, force: true })
        await placeWhole(this.folder, async (unfinished) => {
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

  /** Removes the copies of releases that are kept no longer, and what killed processes have left. */
  async sweep(kept: ReadonlySet<string>): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    await removeLeft(this.folder, '.')
    for (const name of await readdir(this.folder)) {
      const id = /^([\da-f]{64})(?:\.json)?$/.exec(name)?.[1]
      if (id === undefined || kept.has(id)) continue
      // Its assets are no longer named before they are gone.
      await rm(assetNames(this.folder, id), { force: true })
      await rm(join(this.folder, id), { recursive: true, force: true })
    }
  }
}
