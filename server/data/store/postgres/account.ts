/**
 * Chooses the account for PostgreSQL, which refuses to run as root, and checks that the account can reach its files.
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from '../../../core/start-error.ts'
import type { Account } from './program.ts'

/** An account that nearly every system has. Several daemons use it. */
export const SHARED_USER = 'nobody'

/**
 * The account that runs the programs; null for the current user. For root it is the owner of an existing cluster,
 * otherwise `ingot`, or `nobody` on a system without such a user.
 * @param folder the folder of the cluster
 */
export function accountFor(folder: string): Account | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of ['ingot', SHARED_USER]) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)]
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this system has no user `ingot` or `nobody`: run Ingot as an ordinary user, or set DATABASE_URL.',
  )
}

function idOf(flag: '-u' | '-g', name: string): number | null {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return null
  }
}

/**
 * Checks that an account can reach a file or folder.
 * @param remedy the remedy, as the end of a sentence
 * @throws StartError naming the inaccessible folder
 */
export function requireReach(path: string, account: Account | null, remedy: string): void {
  const inaccessibleFolder = account === null ? null : findInaccessibleFolder(path, account)
  if (inaccessibleFolder === null) return
  throw new StartError(
    `PostgreSQL does not run as root and runs as user ${account?.uid} instead, which may not enter '${inaccessibleFolder}': ${remedy}.`,
  )
}

/** The outermost parent folder that an account may not enter; null when it may enter all. */
function findInaccessibleFolder(path: string, account: Account): string | null {
  const parentFolders: string[] = []
  for (let at = dirname(resolve(path)); parentFolders[0] !== at; at = dirname(at)) parentFolders.unshift(at)
  return parentFolders.find((folder) => !mayEnter(folder, account)) ?? null
}

function mayEnter(folder: string, { uid, gid }: Account): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false })
  // Missing folders are created later, accessible to the account.
  if (stats === undefined) return true
  const shift = stats.uid === uid ? 6 : stats.gid === gid ? 3 : 0
  return ((stats.mode >> shift) & 1) === 1
}
