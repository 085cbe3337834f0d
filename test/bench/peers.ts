/** Installs other programs for comparisons that are too large for the development dependencies. They are downloaded on demand. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Returns the folder in which a package is installed, next to the cache of the benchmarks. If it cannot be installed, prints a message and
 * returns null.
 * @param version the exact version
 */
export function installed(name: string, version: string): string | null {
  const folder = resolve('node_modules/.ingot-bench', `${name}-${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }))
  // The package may warn that it needs a newer Node but still run with this one. That is found out when it is used.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return folder
  console.log(`${name} ${version} is left out, for it could not be installed: ${stderr.trim().split('\n').at(-1)}`)
  return null
}
