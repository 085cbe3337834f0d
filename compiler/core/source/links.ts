/** Detects symbolic links out of a site. They are not followed unless the user allows it. */
import { join } from 'node:path'
import { linkedFolders, LINKS_VARIABLE, outsideLink } from '../../../runtime/data/site-links.ts'

/**
 * Returns why a path of a site is not read, as the end of a sentence: it leads out of the folder of the site. Returns null if it may be
 * read, or does not exist.
 * @param root folder of the site
 */
export function linkProblem(root: string, path: string): string | null {
  try {
    return outsideLink(root, join(root, path), linkedFolders(process.env[LINKS_VARIABLE]))
  } catch {
    // Reading the file reports the problem.
    return null
  }
}
