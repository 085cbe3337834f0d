/** `ingot init DIR`: writes a small example site. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { naming } from '../core/source/name-errors.ts'
import { NEW_SITE } from '../core/source/new-site.ts'

export async function init(dir: string): Promise<number> {
  const existing = await readdir(dir).catch(() => [] as string[])
  if (existing.includes('app') || existing.includes('marketplace_builder')) {
    process.stderr.write(`'${dir}' already holds a site: give a folder without 'app'.\n`)
    return 2
  }
  for (const [path, text] of Object.entries(NEW_SITE)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await naming(join(dir, path), writeFile(join(dir, path), text, { flag: 'wx' }))
  }
  process.stdout.write(`Wrote ${Object.keys(NEW_SITE).length} files into ${dir}. Next: \`npx ingot dev ${dir}\`.\n`)
  return 0
}
