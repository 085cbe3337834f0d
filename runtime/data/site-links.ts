/**
 * Symbolic links of a site. One that leads out of the site's folder is followed only to folders that the person names who
 * runs the command: a site from elsewhere could otherwise take any file of this machine into a build or a deploy.
 */
import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** The variable that names folders to which links may lead, separated by commas. */
export const LINKS_VARIABLE = 'INGOT_LINKS'

/** The folders in the value of the variable. */
export function linkedFolders(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/**
 * What is wrong with a path of a site, as the end of a sentence about it; null for one that stays in the site's folder, or
 * leads to one of `folders`.
 * @param root folder of the site
 * @param full path of a file or folder of the site; each part of it may be a link
 * @param folders what the variable names
 * @throws Error of the file system, also where a link leads to nothing
 */
export function outsideLink(root: string, full: string, folders: readonly string[]): string | null {
  const real = outsidePath([root, ...folders], full)
  return real === null
    ? null
    : `it is a link out of the site, to '${real}': copy what it leads to, or set ${LINKS_VARIABLE} to the folder that it may lead to`
}

/**
 * The place to which a path leads out of all `folders`; null where it stays in one of them.
 * @throws Error of the file system, also where a link leads to nothing
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
    // A named folder that is not there allows nothing.
    return false
  }
  return real === above || real.startsWith(above.endsWith(sep) ? above : `${above}${sep}`)
}
