/** `ingot init`: writes a small example site, or with `--production` the deployment files of a site. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { withErrorPath } from '../core/source/name-errors.ts'
import { NEW_SITE } from '../core/source/new-site.ts'
import { UsageError } from '../core/usage-error.ts'
import { folderOf, singleArgument } from './arguments.ts'

/**
 * Runs the command.
 * @param args arguments after `init`
 * @returns the exit code
 * @throws UsageError
 */
export async function init(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { production: { type: 'boolean', default: false }, host: { type: 'string' } },
    allowPositionals: true,
  })
  if (values.production) {
    const { writeDeployment } = await import('../tools/production/write.ts')
    return writeDeployment(folderOf(positionals, 'init --production'), values.host)
  }
  if (values.host !== undefined) throw new UsageError('The option --host belongs to `ingot init --production`.')
  const dir = singleArgument(positionals, 'init', 'DIR')
  // The path usually does not exist, so the name is free. Any other error appears again when the folder is created.
  const info = await stat(dir).catch(() => null)
  if (info !== null && !info.isDirectory())
    throw new UsageError(`'${dir}' is not a folder: give a new name, or an empty folder.`)
  return writeSite(dir)
}

async function writeSite(dir: string): Promise<number> {
  const existingNames = await readdir(dir).catch((): string[] => [])
  if (existingNames.includes('app') || existingNames.includes('marketplace_builder')) {
    process.stderr.write(`'${dir}' already holds a site: give a folder without 'app'.\n`)
    return 2
  }
  for (const [path, text] of Object.entries(NEW_SITE)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await withErrorPath(join(dir, path), writeFile(join(dir, path), text, { flag: 'wx' }))
  }
  process.stdout.write(`Wrote ${Object.keys(NEW_SITE).length} files into ${dir}. Next: \`npx ingot dev ${dir}\`.\n`)
  return 0
}
