/**
 * Controls who may connect to the embedded PostgreSQL over its socket. Only the system users that run Ingot may; the kernel reports the
 * user to
 * the server. All others are rejected, including those that run as the server's own user: when Ingot runs as root, the server runs as
 * `nobody`, an account that other daemons use too.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { SHARED_USER } from './account.ts'
import type { Account } from './program.ts'

/** The name of the map from system users to roles of the database. */
const MAP = 'ingot'
/** The version of PostgreSQL that lets a system user connect as any role. */
const ANY_ROLE_SINCE = 16

/**
 * Writes the configuration of allowed users. An interrupted call is safe: no further user is allowed until both files are complete.
 * @param folder of the cluster
 * @param account the account of the server; null for the current user
 * @param user the user of the database
 * @returns whether the configuration has changed for a running server
 */
export function writeAdmission(folder: string, account: Account | null, user: string): boolean {
  const names = admittedUsers(account)
  // A user without a name, as in some containers, is not shared with another program, and the folder is closed to others.
  const method = names === null ? 'trust' : `peer map=${MAP}`
  // `all` does not include replication, which base backups and streaming copies need.
  const entry = `local all all ${method}\nlocal replication all ${method}`
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
  // Older versions have no keyword for all roles.
  const role = Number(readTextIfExists(join(folder, 'PG_VERSION'))) >= ANY_ROLE_SINCE ? 'all' : user
  const userMap = (names ?? []).map((name) => `${MAP} ${quoted(name)} ${role}\n`).join('')
  const isMapNew = replaceFile(join(folder, 'pg_ident.conf'), userMap, account)
  const isEntryNew = replaceFile(join(folder, 'pg_hba.conf'), `${entry}\n`, account)
  return isMapNew || isEntryNew
}

/** The names of the system users that may connect; null when the current user has no name. */
function admittedUsers(account: Account | null): readonly string[] | null {
  let currentUser: string
  try {
    currentUser = userInfo().username
  } catch {
    // `userInfo` throws for a user that the system does not list.
    return null
  }
  // Root may enter any folder, and runs commands of a folder that belongs to another user.
  const owner = account === null ? null : userNameOf(account.uid)
  return [...new Set(['root', currentUser, ...(owner === null || owner === SHARED_USER ? [] : [owner])])]
}

/**
 * Returns the name of a user; null when the system does not list the number. The file is read first, because starting a program would slow
 * down each start.
 */
function userNameOf(uid: number): string | null {
  const line = readTextIfExists('/etc/passwd')?.match(new RegExp(`^([^:\\n]+):[^:\\n]*:${uid}:`, 'm'))
  if (line?.[1] !== undefined) return line[1]
  try {
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // `id` knows no such user, or is not installed.
    return null
  }
}

/**
 * Replaces a file atomically.
 * @returns whether its content has changed
 */
function replaceFile(file: string, text: string, account: Account | null): boolean {
  const content = `# Written at every start: changes to this file are lost.\n${text}`
  if (readTextIfExists(file) === content) return false
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o600, flush: true })
  if (account !== null) chownSync(draft, account.uid, account.gid)
  renameSync(draft, file)
  return true
}

function readTextIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file does not exist before the first start.
    return null
  }
}
