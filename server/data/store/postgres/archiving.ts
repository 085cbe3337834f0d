/** Settings that make the embedded PostgreSQL archive its write-ahead log in a folder. */
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { StartError } from '../../../core/start-error.ts'
import { requireReach } from './account.ts'
import type { Account } from './program.ts'

/** Seconds after which an incomplete segment is closed. A lost disk loses at most the changes of this time. */
const ARCHIVE_TIMEOUT = 60

/**
 * Returns the settings for archiving.
 * @param folder absolute path; created when it is missing
 * @param account the account of the server; null for the current user
 * @throws StartError when the server cannot write to the folder
 */
export function archiveSettings(folder: string, account: Account | null): Readonly<Record<string, string>> {
  if (process.platform === 'win32')
    throw new StartError(
      'INGOT_WAL_ARCHIVE is not available on Windows: set DATABASE_URL to a PostgreSQL that archives.',
    )
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined && account !== null)
    chownSync(folder, account.uid, account.gid)
  requireReach(`${folder}/.`, account, 'set INGOT_WAL_ARCHIVE to a folder that every user may enter')
  const { uid } = statSync(folder)
  if (account !== null && uid !== account.uid)
    throw new StartError(
      `PostgreSQL runs as user ${account.uid}, which does not own the folder of INGOT_WAL_ARCHIVE, '${folder}': make this user its owner.`,
    )
  return { archive_mode: 'on', archive_timeout: String(ARCHIVE_TIMEOUT), archive_command: archiveCommand(folder) }
}

/**
 * Returns a command that copies a segment atomically. A server that crashed before it recorded a segment as archived offers the segment
 * again;
 * this must succeed. A different segment of the same name must not be replaced.
 */
function archiveCommand(folder: string): string {
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
  const escaped = folder.replaceAll('%', '%%')
  const [whole, part] = [quoted(`${escaped}/%f`), quoted(`${escaped}/.%f.part`)]
  return `if test -f ${whole}; then cmp -s %p ${whole}; else cp %p ${part} && sync ${part} && mv ${part} ${whole}; fi`
}
