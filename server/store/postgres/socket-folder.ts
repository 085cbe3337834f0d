/** Where a cluster's socket stands: beside its files, or in a short folder where the system would refuse the long path. */
import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './program.ts'

/** Bytes of a socket's path; some systems allow 104, Linux 108, the closing zero included. */
const LONGEST = 100
const NAME = '/.s.PGSQL.5432'

/**
 * The folder for a cluster's socket. Only the account of the cluster, and root, can reach what is in it.
 * @param folder the cluster's, absolute
 */
export function socketFolder(folder: string, account: Account | null): string {
  if (Buffer.byteLength(folder + NAME) <= LONGEST) return folder
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const short = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp'
  const own = join(short, `ingot-${createHash('sha256').update(`${uid} ${folder}`).digest('hex').slice(0, 16)}`)
  try {
    mkdirSync(own, { mode: 0o700 })
  } catch {
    const there = lstatSync(own, { throwIfNoEntry: false })
    // Everybody may make folders there: one that is not ours alone is not taken.
    if (there?.isDirectory() && there.uid === uid && (there.mode & 0o77) === 0) return own
    return owned(mkdtempSync(join(short, 'ingot-')), account)
  }
  return owned(own, account)
}

function owned(folder: string, account: Account | null): string {
  if (account !== null) chownSync(folder, account.uid, account.gid)
  return folder
}
