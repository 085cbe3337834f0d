/** The socket of the process that prints. All processes of a server on this machine share it. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrintFailure } from './model.ts'

/**
 * Returns the path of the socket. It is outside of the data folder, which several machines may share.
 * @param identity what the processes that share a printing process have in common
 * @throws PrintFailure when its folder belongs to another user
 */
export function socketPath(identity: string): string {
  const uid = process.getuid?.() ?? 0
  const name = createHash('sha256').update(`${uid} ${identity}`).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\ingot-print-${name}`
  const folder = join(Buffer.byteLength(tmpdir()) < 50 ? tmpdir() : '/tmp', `ingot-printing-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    const existing = lstatSync(folder, { throwIfNoEntry: false })
    // Any user may create folders in the temporary folder.
    if (existing?.isDirectory() !== true || existing.uid !== uid || (existing.mode & 0o77) !== 0)
      throw new PrintFailure(
        `Remove '${folder}', which belongs to another user: documents cannot be printed.`,
        'unavailable',
      )
  }
  return join(folder, `${name}.sock`)
}
