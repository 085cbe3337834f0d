/** `ingot openapi`: prints the OpenAPI document of a site's forms. */
import { openApi } from '../../runtime/data/openapi/index.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import type { LoadedSite } from '../web/site/load.ts'

/**
 * Runs the command.
 * @param args the arguments after `openapi`
 * @param load loads the built site of a folder
 * @param version of this software
 * @returns the exit code
 * @throws StartError
 */
export async function openApiCommand(
  args: readonly string[],
  load: (dir: string) => Promise<LoadedSite>,
  version: string,
  out: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> {
  const { dir, url } = readOpenApiLine(args)
  const { site, name } = await load(dir)
  out(`${JSON.stringify(openApi(site, { title: name, version, url }), null, 2)}\n`)
  return 0
}

/**
 * Parses the arguments after `ingot openapi`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readOpenApiLine(args: readonly string[]): { readonly dir: string; readonly url: string } {
  const { words, value } = readCommandLine('ingot openapi', args, { switches: [], values: ['url'] })
  const [dir = '.', other] = words
  if (other !== undefined) throw new StartError(`\`ingot openapi\` takes one folder, not '${dir}' and '${other}'.`)
  const url = value('url') ?? '/'
  if (url !== '/' && (!URL.canParse(url) || !/^https?:\/\//i.test(url)))
    throw new StartError('The option --url needs the base URL of the site: --url=https://shop.example')
  return { dir, url: url === '/' ? url : url.replace(/\/+$/, '') }
}
