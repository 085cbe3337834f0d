// Reads the files of a template. Also used when the package is built, so it imports only node: modules.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * Returns the texts of all files below a folder, by their paths with slashes.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(
    paths.map((path) => [
      path
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      readFileSync(path, 'utf8'),
    ]),
  )
}
