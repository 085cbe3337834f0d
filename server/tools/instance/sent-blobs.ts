/** Serves files from the database: each is fetched to a folder of this machine, and sent from there, also in ranges. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Sql } from 'postgres'
import type { FileBody } from '../../web/http/message.ts'
import type { ReadySettings } from '../../core/settings.ts'
import { BlobFolder } from './deploys/blobs.ts'

/** Milliseconds that a fetched file stays. */
const FILE_LIFETIME = 3_600_000

export class SentBlobs {
  readonly #root: string
  readonly #blobs: BlobFolder

  constructor({ dataFolder }: Pick<ReadySettings, 'dataFolder'>) {
    this.#root = resolve(dataFolder, 'sent')
    this.#blobs = new BlobFolder(this.#root)
  }

  /** Returns the body of a response. @throws Error when the file does not exist */
  async body(sql: Sql, digest: string): Promise<FileBody> {
    await mkdir(this.#blobs.incoming, { recursive: true, mode: 0o700 })
    await this.#removeOld()
    const path = await this.#blobs.get(sql, digest)
    return { kind: 'file', root: this.#root, path: path.slice(this.#root.length + 1), etag: `"${digest}"` }
  }

  /** Removes old files. A file that is being sent stays readable for its process. */
  async #removeOld(): Promise<void> {
    const old = Date.now() - FILE_LIFETIME
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      // The file may have been removed since the folder was read.
      const facts = await stat(path).catch(() => null)
      if (facts !== null && facts.mtimeMs < old) await rm(path, { force: true })
    }
  }
}
