/** `ingot init --production`: writes the folder `deploy` of a site. Never overwrites files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { deployFiles, deployName } from './files.ts'

/** Top-level folders of a site. A site has at least one of them. */
const SITE_FOLDERS = ['app', 'marketplace_builder', 'modules', 'public', 'private']

/** Default host name, a reserved example domain. */
const HOST = 'www.example.com'

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/**
 * Writes the files.
 * @param dir the folder of the site
 * @param host public host name
 * @returns the exit code
 * @throws Error of the file system
 */
export async function writeDeployment(dir: string, host: string = HOST): Promise<number> {
  const name = deployName(basename(resolve(dir))) ?? 'site'
  if (!HOST_NAME.test(host)) return refuse(`'${host}' is not a host name: give one such as shop.example.`)
  const names = await namesIn(dir)
  if (!SITE_FOLDERS.some((each) => names.includes(each)))
    return refuse(`There is no site in '${dir}': give its folder, or write a site with \`ingot init ${dir}\`.`)
  const folder = join(dir, 'deploy')
  const files = deployFiles({ name, host })
  const existingNames = await namesIn(folder)
  const conflicts = files
    .filter((file) => existingNames.includes(file.name))
    .map((file) => `'${join(folder, file.name)}'`)
  if (conflicts.length > 0)
    return refuse(`${conflicts.join(', ')} would be overwritten: move or remove the existing files.`)
  await mkdir(folder, { recursive: true })
  for (const file of files) await writeFile(join(folder, file.name), file.text, { flag: 'wx' })
  process.stdout.write(
    `Wrote ${files.map((file) => file.name).join(', ')} into ${folder} for https://${host}. Next steps: \`ingot docs\`, In production.\n`,
  )
  return 0
}

/** Returns an empty list if the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') return []
    throw Object.assign(error, { path: folder })
  }
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return 2
}
