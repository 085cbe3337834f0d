// Finds the cache folder of the user or of the systemd service.
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Returns the folder in which this user's processes cache what they may trust; null if other users could write to it. It may not exist.
 * @returns {string | null}
 */
export function userCache() {
  // systemd sets the first variable, which may list several folders.
  const { CACHE_DIRECTORY: ofService, XDG_CACHE_HOME: ofUser } = process.env
  const given = [ofService?.split(':')[0], ofUser].find((one) => one !== undefined && isAbsolute(one))
  try {
    const cache = join(given ?? join(homedir(), '.cache'), 'ingot')
    return isPrivate(cache) ? cache : null
  } catch {
    // A user without an account entry has no home folder.
    return null
  }
}

/** Returns true if no other user can write to a folder, or to where it would be created. @param {string} place */
function isPrivate(place) {
  const me = process.getuid?.()
  if (me === undefined) return true
  for (let at = place; ; at = join(at, '..')) {
    try {
      const { uid, mode } = statSync(at)
      return (uid === me || uid === 0) && (mode & 0o022) === 0
    } catch {
      if (at === join(at, '..')) return false
    }
  }
}
