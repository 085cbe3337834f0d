/** `check --stdin FILE` and `format --stdin FILE`: a text that is not saved yet, in the place of a file. */
import { isUtf8 } from 'node:buffer'
import { type DiscoveredSite, withText } from '../../core/source/discover.ts'
import { classify } from '../../core/source/kinds.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Chosen } from './chosen.ts'

/** The site with what standard input holds as the one file that is chosen, which need not be there. @throws UsageError for no such file */
export async function withStandardInput(
  site: DiscoveredSite,
  { paths }: Chosen,
  command = 'check',
): Promise<DiscoveredSite> {
  const [path, other] = paths ?? []
  if (path === undefined || other !== undefined)
    throw new UsageError(
      `\`--stdin\` takes the path of the one file whose text comes: \`ingot ${command} --stdin FILE\`.`,
    )
  const found = classify(path, site.siteRoot.ownModule)
  if (found === null || 'reason' in found || found.kind === 'asset')
    throw new UsageError(`'${path}' is no file of a site that has a text of its own.`)
  const text = await standardInput()
  const isKnown = site.files.some((file) => file.path === path)
  const files = isKnown ? site.files : [...site.files, { path, ...found, text: '' }]
  return { ...site, files: files.map((file) => (file.path === path ? withText(file, text, site.siteRoot) : file)) }
}

/** @throws UsageError for what is no text: an editor would save what came of it in the place of what there was */
async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new UsageError('What comes on standard input is not UTF-8 text.')
  return new TextDecoder('utf-8').decode(bytes)
}
