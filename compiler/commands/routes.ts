/** `ingot routes`: lists the addresses of a site, with their policies. */
import { parseArgs } from 'node:util'
import { linkSite } from '../analysis.ts'
import { UsageError } from '../core/usage-error.ts'
import { readFolder } from '../tools/read-folder.ts'
import { routesOf, routesTable } from '../tools/routes.ts'

/**
 * Runs the command.
 * @param args arguments after `routes`
 * @returns the exit code: 1 if no address matches the filter
 * @throws UsageError
 */
export async function routes(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, grep: { type: 'string' } },
    allowPositionals: true,
  })
  const [dir = '.', extraArgument] = positionals
  if (extraArgument !== undefined)
    throw new UsageError(`\`ingot routes\` takes one folder: leave out '${extraArgument}'.`)
  const { files } = await readFolder(dir)
  const all = routesOf(linkSite(files, { dialect: 'platform', syntax: 'lax', openEntries: false }))
  const { grep = '' } = values
  const shown = all.filter(({ slug, page }) => slug.includes(grep) || page.includes(grep))
  process.stdout.write(values.json ? `${JSON.stringify(shown, null, 2)}\n` : routesTable(shown))
  if (shown.length > 0) return 0
  process.stderr.write(
    all.length === 0 ? 'The site has no pages yet.\n' : `No route has '${grep}' in its path or file.\n`,
  )
  return all.length === 0 ? 0 : 1
}
