/** `ingot openapi`: prints the OpenAPI document of a site's forms. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openApi } from '../../runtime/data/openapi/index.ts'
import * as runtime from '../../runtime/index.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import type { Settings } from '../core/settings.ts'
import { loadBuilt } from '../operate/open-site.ts'
import { SiteCompiler } from '../tools/instance/deploys/compiler.ts'
import { SiteBuilds } from '../web/site/builds.ts'
import { type LoadedSite, NotBuilt } from '../web/site/load.ts'

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
 * Loads the built site of a folder. A folder without a build is compiled, for example while `ingot dev` serves it.
 * @param bin path of the `ingot` command
 * @throws StartError
 */
export async function loadOrCompile(dir: string, settings: Settings, bin: string): Promise<LoadedSite> {
  try {
    return await loadBuilt(dir, settings)
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error
  }
  const root = resolve(dir)
  const folder = await mkdtemp(join(tmpdir(), 'ingot-openapi-'))
  const compiler = new SiteCompiler(bin)
  try {
    const { built, errors, failure } = await compiler.build(root, folder)
    if (built) return await new SiteBuilds(runtime).load({ root, folder }, async () => [])
    const lines = errors.map(({ file, line, message }) => `\n${file}:${line}  ${message}`)
    throw new StartError(`The site has errors, so it has no API yet: ${failure ?? `correct them.${lines.join('')}`}`)
  } finally {
    compiler.close()
    await rm(folder, { recursive: true, force: true })
  }
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
