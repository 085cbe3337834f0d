/** `ingot modules install|update|list`: the modules that a site requires in `pos-module.json`. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { satisfies, validRange } from 'semver'
import type { Settings } from '../core/settings.ts'
import { formatTable } from './table.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import { withModulesLock } from '../tools/modules/modules-lock.ts'
import { type Chosen, installedVersion, placeModules } from '../tools/modules/install.ts'
import {
  LOCK,
  MANIFEST,
  moduleName,
  readLock,
  readManifest,
  type SiteModules,
  writeLock,
  writeManifest,
} from '../tools/modules/manifest.ts'
import { type LookUp, type ModuleVersions, resolveModules } from '../tools/modules/resolve.ts'
import { type ModuleSource, openSource, type Unpack } from '../tools/modules/sources.ts'
import { unpackModules } from '../tools/modules/unpack.ts'

const VERBS = ['install', 'update', 'list'] as const

/** The parsed command line. @internal Exported for tests. */
export interface ModulesArguments {
  readonly verb: (typeof VERBS)[number]
  readonly dir: string
  /** Modules to install or update; empty for all that the site requires. */
  readonly names: readonly { readonly name: string; readonly range: string | null }[]
  /** Source of all modules, which overrides the settings; null when it is not given. */
  readonly from: string | null
  /** Whether to include the devDependencies. */
  readonly dev: boolean
  /** Whether to install exactly the locked versions. */
  readonly frozen: boolean
}

/**
 * Runs the command.
 * @param args the arguments after `modules`
 * @returns the exit code
 * @throws StartError
 */
export async function modulesCommand(args: readonly string[], settings: Settings): Promise<number> {
  const line = readModulesLine(args)
  const sources = new Sources(line.from, settings.modules, unpackModules)
  try {
    return await runModules(line, sources, (text) => void process.stdout.write(text))
  } finally {
    await sources.close()
  }
}

/**
 * Parses the arguments after `ingot modules`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readModulesLine(args: readonly string[]): ModulesArguments {
  const line = readCommandLine('ingot modules', args, { switches: ['dev', 'frozen'], values: ['from', 'dir'] })
  const [word = '', ...words] = line.words
  const verb = VERBS.find((each) => each === word)
  if (verb === undefined) {
    const what = word === '' ? 'needs an action' : `has no action '${word}'`
    throw new StartError(`\`ingot modules\` ${what}: give ${VERBS.join(', ')}.`)
  }
  if (verb === 'list' && words.length > 0) throw new StartError(`\`ingot modules list\` does not take '${words[0]}'.`)
  const names = words.map(readName)
  const [dev, frozen] = [line.has('dev'), line.has('frozen')]
  if (frozen && (verb !== 'install' || names.length > 0))
    throw new StartError('The option --frozen works only with `ingot modules install` without names.')
  const dir = line.value('dir') ?? '.'
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  return { verb, dir, names, from: line.value('from'), dev, frozen }
}

/** Parses `core`, `core@1.2.0` or `core@^1`. */
function readName(word: string): { readonly name: string; readonly range: string | null } {
  const at = word.indexOf('@')
  const name = at < 0 ? word : word.slice(0, at)
  const range = at < 0 ? null : word.slice(at + 1)
  if (!moduleName.safeParse(name).success) throw new StartError(`'${name}' is not a valid module name.`)
  if (range !== null && (range === '' || validRange(range) === null))
    throw new StartError(`'${range}' is not a version or a range of versions: write ${name}@1.2.0 or ${name}@^1.2.`)
  return { name, range }
}

/** Opens each source on first use, and keeps it open. @internal Exported for tests. */
export class Sources {
  readonly #override: string | null
  readonly #fallback: string | null
  readonly #unpack: Unpack
  readonly #open = new Map<string, Promise<ModuleSource>>()

  /**
   * @param override source of all modules, even those with a registry in the site's files
   * @param fallback source of modules without a registry
   */
  constructor(override: string | null, fallback: string | null, unpack: Unpack) {
    this.#override = override
    this.#fallback = fallback
    this.#unpack = unpack
  }

  /** Returns the source of a module. @throws StartError when there is none */
  of(name: string, registries: Readonly<Record<string, string>>): Promise<ModuleSource> {
    const own = Object.hasOwn(registries, name) ? (registries[name] ?? null) : null
    const place = this.#override ?? own ?? this.#fallback
    if (place === null)
      throw new StartError(
        `Ingot does not know where to get the module '${name}': set INGOT_MODULES, give --from (a folder, an archive or the URL of a registry), or name its registry in ${MANIFEST}.`,
      )
    const open = this.#open.get(place) ?? openSource(place, this.#unpack)
    this.#open.set(place, open)
    return open
  }

  async close(): Promise<void> {
    for (const open of this.#open.values()) await (await open.catch(() => null))?.close()
  }
}

/**
 * Executes a parsed command line.
 * @returns the exit code
 * @throws StartError
 * @internal Exported for tests.
 */
export async function runModules(
  line: ModulesArguments,
  sources: Sources,
  out: (text: string) => void,
): Promise<number> {
  if (line.verb === 'list') {
    out(await formatModules(line.dir, await readManifest(line.dir)))
    return 0
  }
  return withModulesLock(line.dir, async () => installModules(line, await readManifest(line.dir), sources, out))
}

/** Installs or updates modules, and writes the manifest and the lock. @returns the exit code */
async function installModules(
  line: ModulesArguments,
  wantedModules: SiteModules,
  sources: Sources,
  out: (text: string) => void,
): Promise<number> {
  const next = line.frozen ? wantedModules : await addRequested(line, wantedModules, sources)
  const lock = await readLock(line.dir)
  // An update uses the registries that the site names today, not those in the lock.
  const registries = { ...(line.verb === 'update' ? {} : lock.registries), ...next.registries }
  const chosen = line.frozen
    ? requireLocked(next, lock, line.dev)
    : await resolveVersions(line, next, lock, async (name) => (await sources.of(name, registries)).versions(name))
  const due: Chosen[] = []
  const kept: Record<string, string> = {}
  for (const [name, version] of Object.entries({ ...chosen.devDependencies, ...chosen.dependencies })) {
    if ((await installedVersion(line.dir, name)) === version) {
      const registry = Object.hasOwn(registries, name) ? registries[name] : undefined
      if (registry !== undefined) kept[name] = registry
      out(`kept       ${name} ${version}\n`)
      continue
    }
    const source = await sources.of(name, registries)
    if (source.isRegistry) kept[name] = source.displayName
    due.push({ name, version, source })
  }
  await placeModules(line.dir, due)
  for (const { name, version, source } of due) out(`installed  ${name} ${version} from ${source.displayName}\n`)
  if (line.frozen) return 0
  // The lock is written last, because it describes the installed modules.
  if (JSON.stringify(next) !== JSON.stringify(wantedModules)) await writeManifest(line.dir, next)
  await writeLock(line.dir, { ...chosen, registries: kept })
  return 0
}

/** Returns the required modules, with those that the command line adds. */
async function addRequested(
  line: ModulesArguments,
  wantedModules: SiteModules,
  sources: Sources,
): Promise<SiteModules> {
  const dependencies: Record<string, string> = { ...wantedModules.dependencies }
  const devDependencies: Record<string, string> = { ...wantedModules.devDependencies }
  for (const { name, range } of line.names) {
    const isKnown = Object.hasOwn(devDependencies, name) && !Object.hasOwn(dependencies, name)
    const section = isKnown || (line.dev && !Object.hasOwn(dependencies, name)) ? devDependencies : dependencies
    const textBefore = Object.hasOwn(section, name) ? (section[name] ?? null) : null
    if (line.verb === 'update' && textBefore === null)
      throw new StartError(
        `The site does not require the module '${name}': add it with \`ingot modules install ${name}\`.`,
      )
    if (range !== null) section[name] = range
    else if (textBefore === null || line.verb === 'update')
      section[name] = `^${await newestVersion(name, wantedModules, sources)}`
  }
  return { ...wantedModules, dependencies, devDependencies }
}

async function newestVersion(name: string, { registries }: SiteModules, sources: Sources): Promise<string> {
  const source = await sources.of(name, registries)
  const resolved = await resolveModules({ [name]: '*' }, async (each) =>
    // The dependencies of the module are resolved later, together with all others.
    each === name ? versionsOnly(await source.versions(name)) : null,
  )
  const version = resolved.get(name)
  if (version === undefined) throw new Error(`no version of the module '${name}' was resolved`)
  return version
}

function versionsOnly(versions: ModuleVersions | null): ModuleVersions | null {
  return versions === null ? null : new Map([...versions.keys()].map((version) => [version, {}]))
}

async function resolveVersions(
  line: ModulesArguments,
  wantedModules: SiteModules,
  lock: SiteModules,
  lookUp: LookUp,
): Promise<SiteModules> {
  const locked: Record<string, string> = { ...lock.devDependencies, ...lock.dependencies }
  // An update may change the named modules, or all modules when none is named.
  for (const name of line.verb === 'update' ? Object.keys(locked) : [])
    if (line.names.length === 0 || line.names.some((each) => each.name === name)) delete locked[name]
  const dependencies = await resolveModules(wantedModules.dependencies, lookUp, locked)
  const dev = line.dev || line.names.some(({ name }) => Object.hasOwn(wantedModules.devDependencies, name))
  if (!dev)
    return { dependencies: Object.fromEntries(dependencies), devDependencies: lock.devDependencies, registries: {} }
  const all = await resolveModules({ ...wantedModules.devDependencies, ...wantedModules.dependencies }, lookUp, {
    ...locked,
    ...Object.fromEntries(dependencies),
  })
  const production = Object.fromEntries([...all].filter(([name]) => dependencies.has(name)))
  const rest = Object.fromEntries([...all].filter(([name]) => !dependencies.has(name)))
  return { dependencies: production, devDependencies: rest, registries: {} }
}

/** Returns the locked versions. @throws StartError when they do not match what the site requires */
function requireLocked(wantedModules: SiteModules, lock: SiteModules, dev: boolean): SiteModules {
  const versions = { ...lock.devDependencies, ...lock.dependencies }
  const all = { ...(dev ? wantedModules.devDependencies : {}), ...wantedModules.dependencies }
  for (const [name, range] of Object.entries(all)) {
    const version = Object.hasOwn(versions, name) ? (versions[name] ?? null) : null
    if (version !== null && satisfies(version, range, { includePrerelease: true })) continue
    const has = version === null ? 'does not have' : `has version ${version} of`
    throw new StartError(
      `${LOCK} ${has} the module '${name}', but ${MANIFEST} requires ${range}: update the lock with \`ingot modules install\`.`,
    )
  }
  return { dependencies: lock.dependencies, devDependencies: dev ? lock.devDependencies : {}, registries: {} }
}

async function formatModules(dir: string, wantedModules: SiteModules): Promise<string> {
  const lock = await readLock(dir)
  const locked: Readonly<Record<string, string>> = { ...lock.devDependencies, ...lock.dependencies }
  const ranges: Readonly<Record<string, string>> = { ...wantedModules.devDependencies, ...wantedModules.dependencies }
  const names = [...new Set([...Object.keys(ranges), ...Object.keys(locked)])].sort()
  if (names.length === 0) return `The site in '${resolve(dir)}' requires no modules.\n`
  const head = ['MODULE', 'REQUIRED', 'LOCKED', 'INSTALLED', '']
  const rows: string[][] = []
  for (const name of names) {
    const installed = await installedVersion(dir, name)
    const version = locked[name] ?? null
    const state =
      installed === null
        ? 'missing'
        : version === null
          ? 'not locked'
          : installed === version
            ? ''
            : 'differs from the lock'
    rows.push([name, ranges[name] ?? '', version ?? '', installed ?? '', state])
  }
  return formatTable(head, rows)
}
