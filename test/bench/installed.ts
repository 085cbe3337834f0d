/** Installs the product for benchmarks that run whole commands. */
import { cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Installs the product without its sources. Returns the path of the command. */
export function installed(folder: string): string {
  for (const path of [
    'dist',
    'server/bin.mjs',
    'server/commands.mjs',
    'server/commands/completion.mjs',
    'server/commands/help.mjs',
    'server/commands/port.mjs',
    'package.json',
    'runtime/data/environment.mjs',
    'fixtures/filters.json',
  ])
    cpSync(resolve(path), join(folder, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return join(folder, 'server/bin.mjs')
}
