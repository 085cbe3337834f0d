/**
 * Chooses the folder of a cluster's socket: that of the cluster, or a short one when the path would be too long for the
 * system.
 */
import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './program.ts'

/** Maximum length of a socket's path in bytes, including the final zero: 104 on some systems, 108 on Linux. */
const MAX_PATH = 100
const NAME = '/.s.PGSQL.5432'

/**
 * Returns the folder for a cluster's socket. Only the cluster's account and root can enter it.
 * @param folder the cluster's folder, absolute
 */
export function socketFolder(folder: string, account: Account | null): string {
  if (Buffer.byteLength(folder + NAME) <= MAX_PATH) return folder
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const parentFolder = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp'
  const folderPath = join(
    parentFolder,
    `ingot-${createHash('sha256').update(`${uid} ${folder}`).digest('hex').slice(0, 16)}`,
  )
  try {
    mkdirSync(folderPath, { mode: 0o700 })
  } catch {
    const existing = lstatSync(folderPath, { throwIfNoEntry: false })
    // Any user may create folders in the temporary folder, so an existing one is used only when it is exclusively ours.
    if (existing?.isDirectory() && existing.uid === uid && (existing.mode & 0o77) === 0) return folderPath
    return assignOwner(mkdtempSync(join(parentFolder, 'ingot-')), account)
  }
  return assignOwner(folderPath, account)
}

function assignOwner(folder: string, account: Account | null): string {
  if (account !== null) chownSync(folder, account.uid, account.gid)
  return folder
}
