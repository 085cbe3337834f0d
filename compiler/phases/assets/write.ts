/** Writes prepared assets. Each file is written atomically. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withErrorPath } from '../../core/source/name-errors.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { AssetContent } from './prepare.ts'

/** Thrown when an asset changed after its digest was computed. */
export class ChangedAsset extends UsageError {
  constructor(path: string) {
    super(`'${path}' changed during the build. Build the site again.`)
  }
}

/**
 * @param files by name: digest, with an extension for the encoding
 * @throws ChangedAsset, or a file-system error that names the path
 */
export async function writeAssets(files: ReadonlyMap<string, AssetContent>, folder: string): Promise<void> {
  if (files.size === 0) return
  await mkdir(folder, { recursive: true })
  for (const [name, content] of files) {
    const path = join(folder, name)
    const unfinished = `${path}.new`
    const copied =
      typeof content === 'string' ? copyAndVerify(content, name, unfinished) : writeFile(unfinished, content)
    await withErrorPath(unfinished, copied)
    await rename(`${path}.new`, path)
  }
}

async function copyAndVerify(from: string, digest: string, to: string): Promise<void> {
  const hash = createHash('sha256')
  const through = new PassThrough()
  through.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(createReadStream(from), through, createWriteStream(to))
  if (hash.digest('hex') !== digest) throw new ChangedAsset(from)
}
