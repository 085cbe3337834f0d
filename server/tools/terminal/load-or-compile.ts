/** Loads a site for commands that need no server and no build: the built site, or else one that is compiled for the command. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as runtime from '../../../runtime/index.ts'
import type { Settings } from '../../core/settings.ts'
import { StartError } from '../../core/start-error.ts'
import { loadBuilt } from '../../operate/open-site.ts'
import { SiteBuilds } from '../../web/site/builds.ts'
import { type LoadedSite, NotBuilt } from '../../web/site/load.ts'
import { SiteCompiler } from '../instance/deploys/compiler.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'ingot-loaded-'))
  const compiler = new SiteCompiler(bin)
  try {
    const { built, errors, failure } = await compiler.build(root, folder)
    if (built) return await new SiteBuilds(runtime).load({ root, folder }, async () => [])
    const lines = errors.map(({ file, line, message }) => `\n${file}:${line}  ${message}`)
    throw new StartError(`The site has errors, so it cannot be loaded: ${failure ?? `correct them.${lines.join('')}`}`)
  } finally {
    compiler.close()
    await rm(folder, { recursive: true, force: true })
  }
}
