/** Reads the input of a command: a site, or a folder of templates. */
import { stat } from 'node:fs/promises'
import type { Dialect } from '../core/model/dialect.ts'
import { type DiscoveredSite, discover, discoverTemplates } from '../core/source/discover.ts'
import { UsageError } from '../core/usage-error.ts'

/**
 * Reads the site, or the templates, in a folder.
 * @param named the path that the user gave, for messages
 * @throws UsageError if there are none, or a file cannot be read
 */
export async function readFolder(
  dir: string,
  dialect: Dialect = 'platform',
  endings: readonly string[] = ['.liquid'],
  named = dir,
): Promise<DiscoveredSite> {
  const info = await stat(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`There is no folder '${dir}': give the folder of a site.`)
    throw Object.assign(error, { path: dir })
  })
  if (!info.isDirectory()) throw new UsageError(`'${dir}' is not a folder: give the folder of a site.`)
  const discovered = dialect === 'platform' ? await discover(dir) : discoverTemplates(dir, endings)
  if (discovered.problems.length > 0) {
    throw new UsageError(
      discovered.problems.map(({ path, message }) => `'${path}': ${message}; fix or remove it.`).join('\n'),
    )
  }
  if (dialect === 'liquid' && discovered.files.length === 0)
    throw new UsageError(
      `There is no template in '${dir}': template names end with ${endings.map((each) => `'${each}'`).join(' or ')}; use \`--ext\` for another extension.`,
    )
  if (!discovered.files.some((file) => file.kind !== 'lint_config')) {
    throw new UsageError(
      `There is no site in '${named}': its pages must be in 'app/views/pages'. \`ingot init DIR\` writes a small site to start with.`,
    )
  }
  return discovered
}
