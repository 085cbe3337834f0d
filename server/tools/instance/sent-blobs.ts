/** Files of the database as bodies of answers: each is fetched to a folder of this machine, from which it is sent, also in parts. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Sql } from 'postgres'
import type { FileBody } from '../../web/http/message.ts'
import type { ReadySettings } from '../../core/settings.ts'
import { BlobFolder } from './deploys/blobs.ts'

/** Milliseconds that a fetched file stays. */
const STAYS = 3_600_000

export class SentBlobs {
  readonly #root: string
  readonly #blobs: BlobFolder

  constructor({ dataFolder }: Pick<ReadySettings, 'dataFolder'>) {
    this.#root = resolve(dataFolder, 'sent')
    this.#blobs = new BlobFolder(this.#root)
  }

  /** @throws Error where it is nowhere */
  async body(sql: Sql, digest: string): Promise<FileBody> {
    await mkdir(this.#blobs.incoming, { recursive: true, mode: 0o700 })
    await this.#removeOld()
    const path = await this.#blobs.get(sql, digest)
    return { kind: 'file', root: this.#root, path: path.slice(this.#root.length + 1), etag: `"${digest}"` }
  }

  /** What is being sent stays readable for whoever sends it. */
  async #removeOld(): Promise<void> {
    const old = Date.now() - STAYS
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      // It may have been used and removed since the folder was read.
      const facts = await stat(path).catch(() => null)
      if (facts !== null && facts.mtimeMs < old) await rm(path, { force: true })
    }
  }
}
