/** The setup of tests with stored files: a database, a separate folder, and the records of requests. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createFiles, type FileService, type FilesOptions } from '../../../../server/web/files/files.ts'
import { createLocalStore } from '../../../../server/web/files/local.ts'
import type { FileSource, StorageOptions } from '../../../../server/web/files/model.ts'
import { createSigner } from '../../../../server/web/files/signature.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

export interface FilesSetup {
  readonly database: TestDatabase
  readonly desk: FileService
  /** The folder of stored files. */
  readonly kept: string
  readonly incoming: string
  /** Returns a file as the listener stores it. */
  sent(fileName: string, content: Uint8Array | string, contentType?: string): FileSource
  close(): Promise<void>
}

export const ANY: StorageOptions = { acl: 'public', limit: 5_000_000, types: null, versions: {} }

export async function ground(more: Partial<FilesOptions> = {}): Promise<FilesSetup> {
  const database = await testDatabase()
  const home = mkdtempSync(join(tmpdir(), 'ingot-files-'))
  const kept = join(home, 'files')
  const incoming = join(home, 'incoming')
  mkdirSync(incoming)
  const desk = createFiles({
    store: createLocalStore(kept),
    sql: database.sql,
    signer: createSigner('a secret of the tests'),
    incoming,
    limit: 5_000_000,
    ...more,
  })
  return {
    database,
    desk,
    kept,
    incoming,
    sent(fileName, content, contentType = 'application/octet-stream') {
      const path = join(incoming, randomBytes(8).toString('hex'))
      writeFileSync(path, content)
      return { kind: 'sent', path, fileName, contentType }
    },
    async close() {
      await database.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Returns the paths of all files in a folder, relative to the folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

/** Returns an image of one color. */
export function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#4080c0' }
  return sharp({ create }).toFormat(format).toBuffer()
}
