/** Symbolic links that lead out of a site: what they lead to is not read, unless the person who runs the command allows it. */
import { join } from 'node:path'
import { linkedFolders, LINKS_VARIABLE, outsideLink } from '../../../runtime/data/site-links.ts'

/**
 * Why a path of a site is not read, as the end of a sentence: it leads out of the site's folder. Null where it may be read,
 * or is not there.
 * @param root folder of the site
 */
export function linkProblem(root: string, path: string): string | null {
  try {
    return outsideLink(root, join(root, path), linkedFolders(process.env[LINKS_VARIABLE]))
  } catch {
    // Reading it reports what is wrong.
    return null
  }
}
