/** The files of the served release, as the compiler of sent templates reads them. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { ownFolder, removeLeftovers } from '../../../core/leftovers.ts'
import type { Releases } from '../../../operate/releases/model.ts'
import type { BuildEdits } from '../../../web/site/load.ts'
import { BlobFolder } from '../deploys/blobs.ts'
import { isAsset } from '../deploys/paths.ts'
import { treeOf } from '../deploys/site.ts'

/** The site of a release, as the compiler reads it. */
interface Source {
  readonly of: BuildEdits
  readonly folder: string
}

export class ReleaseSource {
  readonly #sql: Sql
  readonly #releases: Releases
  readonly #shared: string
  readonly #folder: string
  readonly #deployed: string
  #source: Promise<Source> | null = null
  /** Folders of written sites. */
  readonly #folders: string[] = []
  #count = 0

  /**
   * @param folder folder for temporary files of all processes of this machine
   * @param deployed folder of the files that the process of deploys keeps
   */
  constructor(sql: Sql, releases: Releases, folder: string, deployed: string) {
    this.#deployed = deployed
    this.#sql = sql
    this.#releases = releases
    this.#shared = folder
    this.#folder = ownFolder(folder)
  }

  /** Returns the folder of the files. Calls wait for each other, so that the files are written once. */
  async folder(): Promise<string> {
    // The earlier caller gets a failure. This call tries again.
    const before = (this.#source ?? Promise.resolve(null)).catch(() => null)
    this.#source = before.then(async (known) => {
      const { release = '', revision = 0 } = (await this.#releases.current()) ?? {}
      const isKnown = known?.of.release === release && known.of.revision === revision
      return isKnown ? known : this.#write({ release, revision })
    })
    return (await this.#source).folder
  }

  async #write(of: BuildEdits): Promise<Source> {
    await removeLeftovers(this.#shared)
    const sql = this.#sql
    const folder = join(this.#folder, `site-${++this.#count}`)
    const blobs = new BlobFolder(join(this.#folder, 'files'), this.#deployed)
    await blobs.open()
    await mkdir(join(folder, 'app'), { recursive: true })
    // The served site answers questions about assets, so their files are not needed.
    const files = [...(await treeOf(sql, of))].filter(([path]) => !isAsset(path))
    await blobs.write(sql, new Map(files), folder)
    // The previous folder may still be read.
    this.#folders.push(folder)
    for (const oldText of this.#folders.splice(0, this.#folders.length - 2))
      await rm(oldText, { recursive: true, force: true })
    return { of, folder }
  }
}
