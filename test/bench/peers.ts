/** Programs of others that are measured beside ours and too large to be installed with everything else: fetched when they are asked for. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The folder in which a package is installed, beside what the benchmarks keep; null, and a sentence, where it cannot be had.
 * @param version the exact one
 */
export function installed(name: string, version: string): string | null {
  const folder = resolve('node_modules/.ingot-bench', `${name}-${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }))
  // It may say that it wants a newer Node, and run with this one: whether it does is seen when it is asked.
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
