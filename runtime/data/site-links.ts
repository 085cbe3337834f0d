/**
 * Checks the symbolic links of a site. A link that leaves the site's folder is followed only to folders that the user of the command
 * allows. Otherwise a site of unknown origin could include any file of the machine in a build or a deploy.
 */
import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** The variable that names folders to which links may lead, separated by commas. */
export const LINKS_VARIABLE = 'INGOT_LINKS'

/** Returns the folders that the value of the variable names. */
export function linkedFolders(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/**
 * Returns the problem of a path of a site, as the end of a sentence that begins with the path. Returns null when the path stays in the
 * site's folder, or leads to one of `folders`.
 * @param root folder of the site
 * @param full path of a file or folder of the site; each part of it may be a link
 * @param folders the folders in `INGOT_LINKS`
 * @throws Error of the file system, also for a link to a missing file
 */
export function outsideLink(root: string, full: string, folders: readonly string[]): string | null {
  const real = outsidePath([root, ...folders], full)
  return real === null
    ? null
    : `it is a link to '${real}', outside of the site: copy the file, or add its folder to ${LINKS_VARIABLE}`
}

/**
 * Returns the real path when it is outside of all `folders`; null when it is in one of them.
 * @throws Error of the file system, also for a link to a missing file
 */
export function outsidePath(folders: readonly string[], full: string): string | null {
  const real = realpathSync(full)
  return folders.some((folder) => isBelow(real, folder)) ? null : real
}

function isBelow(real: string, folder: string): boolean {
  let above: string
  try {
    above = realpathSync(folder)
  } catch {
    // A folder that does not exist allows no path.
    return false
  }
  return real === above || real.startsWith(above.endsWith(sep) ? above : `${above}${sep}`)
}
