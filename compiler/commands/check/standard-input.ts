/** `check --stdin FILE` and `format --stdin FILE`: an unsaved text replaces a file. */
import { isUtf8 } from 'node:buffer'
import { type DiscoveredSite, withText } from '../../core/source/discover.ts'
import { classify } from '../../core/source/kinds.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Selection } from './selection.ts'

/**
 * Returns the site with standard input as the text of the one chosen file, which need not exist.
 * @throws UsageError for an unsuitable file
 */
export async function withStandardInput(
  site: DiscoveredSite,
  { paths }: Selection,
  command = 'check',
): Promise<DiscoveredSite> {
  const [path, other] = paths ?? []
  if (path === undefined || other !== undefined)
    throw new UsageError(
      `\`--stdin\` takes the path of the file whose text is on standard input: \`ingot ${command} --stdin FILE\`.`,
    )
  const found = classify(path, site.siteRoot.ownModule)
  if (found === null || 'reason' in found || found.kind === 'asset')
    throw new UsageError(`'${path}' is not a text file of a site.`)
  const text = await standardInput()
  const isKnown = site.files.some((file) => file.path === path)
  const files = isKnown ? site.files : [...site.files, { path, ...found, text: '' }]
  return { ...site, files: files.map((file) => (file.path === path ? withText(file, text, site.siteRoot) : file)) }
}

/** Reads standard input as text. @throws UsageError for invalid UTF-8, because an editor would save the damaged text */
async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new UsageError('Standard input is not UTF-8 text.')
  return new TextDecoder('utf-8').decode(bytes)
}
