/** `ingot modules install|update|list`: the modules that a site asks for in `pos-module.json`. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { satisfies, validRange } from 'semver'
import type { Settings } from '../core/settings.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import { alone } from '../tools/modules/alone.ts'
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

export interface ModulesArguments {
  readonly verb: (typeof VERBS)[number]
  readonly dir: string
  /** What to install or update; all that the site asks for where it is empty. */
  readonly names: readonly { readonly name: string; readonly range: string | null }[]
  /** Where modules are taken from, before what is set. */
  readonly from: string | null
  /** Also those for the work on the site. */
  readonly dev: boolean
  /** Only what the lock says. */
  readonly frozen: boolean
}

/**
 * Runs the command.
 * @param rest the arguments after `modules`
 * @returns the exit code
 * @throws StartError
 */
export async function modulesCommand(rest: readonly string[], settings: Settings): Promise<number> {
  const line = readModulesLine(rest)
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
 */
export function readModulesLine(rest: readonly string[]): ModulesArguments {
  const line = readCommandLine('ingot modules', rest, { switches: ['dev', 'frozen'], values: ['from', 'dir'] })
  const [word = '', ...words] = line.words
  const verb = VERBS.find((each) => each === word)
  if (verb === undefined) {
    const what = word === '' ? 'needs to know what to do' : `cannot '${word}'`
    throw new StartError(`\`ingot modules\` ${what}: give ${VERBS.join(', ')}.`)
  }
  if (verb === 'list' && words.length > 0) throw new StartError(`\`ingot modules list\` takes no '${words[0]}'.`)
  const names = words.map(readName)
  const [dev, frozen] = [line.has('dev'), line.has('frozen')]
  if (frozen && (verb !== 'install' || names.length > 0))
    throw new StartError('The option --frozen goes with `ingot modules install` alone: it takes what the lock says.')
  const dir = line.value('dir') ?? '.'
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  return { verb, dir, names, from: line.value('from'), dev, frozen }
}

/** `core`, `core@1.2.0`, `core@^1` */
function readName(word: string): { readonly name: string; readonly range: string | null } {
  const at = word.indexOf('@')
  const name = at < 0 ? word : word.slice(0, at)
  const range = at < 0 ? null : word.slice(at + 1)
  if (!moduleName.safeParse(name).success) throw new StartError(`'${name}' cannot be the name of a module.`)
  if (range !== null && (range === '' || validRange(range) === null))
    throw new StartError(`'${range}' is no version, and no range of versions: write ${name}@1.2.0 or ${name}@^1.2.`)
  return { name, range }
}

/** Opens each source when it is needed first. */
export class Sources {
  readonly #given: string | null
  readonly #usual: string | null
  readonly #unpack: Unpack
  readonly #open = new Map<string, Promise<ModuleSource>>()

  /**
   * @param given where all modules are taken from, whatever registry they name
   * @param usual where modules are taken from that name no registry
   */
  constructor(given: string | null, usual: string | null, unpack: Unpack) {
    this.#given = given
    this.#usual = usual
    this.#unpack = unpack
  }

  /** @throws StartError */
  of(name: string, registries: Readonly<Record<string, string>>): Promise<ModuleSource> {
    const own = Object.hasOwn(registries, name) ? (registries[name] ?? null) : null
    const place = this.#given ?? own ?? this.#usual
    if (place === null)
      throw new StartError(
        `Nothing says where the module '${name}' is to be taken from: set INGOT_MODULES, give --from with a folder, an archive or the URL of a registry, or name its registry in ${MANIFEST}.`,
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
 */
export async function runModules(
  line: ModulesArguments,
  sources: Sources,
  out: (text: string) => void,
): Promise<number> {
  if (line.verb === 'list') {
    out(await listed(line.dir, await readManifest(line.dir)))
    return 0
  }
  return alone(line.dir, async () => brought(line, await readManifest(line.dir), sources, out))
}

/** Brings what is asked for. @returns the exit code */
async function brought(
  line: ModulesArguments,
  wanted: SiteModules,
  sources: Sources,
  out: (text: string) => void,
): Promise<number> {
  const next = line.frozen ? wanted : await asked(line, wanted, sources)
  const lock = await readLock(line.dir)
  // An update asks where the site says today, whatever was asked before.
  const registries = { ...(line.verb === 'update' ? {} : lock.registries), ...next.registries }
  const chosen = line.frozen
    ? frozen(next, lock, line.dev)
    : await choose(line, next, lock, async (name) => (await sources.of(name, registries)).versions(name))
  const due: Chosen[] = []
  const kept: Record<string, string> = {}
  for (const [name, version] of Object.entries({ ...chosen.devDependencies, ...chosen.dependencies })) {
    if ((await installedVersion(line.dir, name)) === version) {
      if (Object.hasOwn(registries, name)) kept[name] = registries[name]!
      out(`kept       ${name} ${version}\n`)
      continue
    }
    const source = await sources.of(name, registries)
    if (source.isRegistry) kept[name] = source.shown
    due.push({ name, version, source })
  }
  await placeModules(line.dir, due)
  for (const { name, version, source } of due) out(`installed  ${name} ${version} from ${source.shown}\n`)
  if (line.frozen) return 0
  // The lock tells what is there, so it is written last.
  if (JSON.stringify(next) !== JSON.stringify(wanted)) await writeManifest(line.dir, next)
  await writeLock(line.dir, { ...chosen, registries: kept })
  return 0
}

/** What the site asks for, with what the command adds to it. */
async function asked(line: ModulesArguments, wanted: SiteModules, sources: Sources): Promise<SiteModules> {
  const dependencies: Record<string, string> = { ...wanted.dependencies }
  const devDependencies: Record<string, string> = { ...wanted.devDependencies }
  for (const { name, range } of line.names) {
    const known = Object.hasOwn(devDependencies, name) && !Object.hasOwn(dependencies, name)
    const section = known || (line.dev && !Object.hasOwn(dependencies, name)) ? devDependencies : dependencies
    const before = Object.hasOwn(section, name) ? section[name]! : null
    if (line.verb === 'update' && before === null)
      throw new StartError(`The site does not ask for the module '${name}': \`ingot modules install ${name}\` adds it.`)
    if (range !== null) section[name] = range
    else if (before === null || line.verb === 'update') section[name] = `^${await newest(name, wanted, sources)}`
  }
  return { ...wanted, dependencies, devDependencies }
}

async function newest(name: string, { registries }: SiteModules, sources: Sources): Promise<string> {
  const source = await sources.of(name, registries)
  const resolved = await resolveModules({ [name]: '*' }, async (each) =>
    // What it asks for itself is chosen later, with all others.
    each === name ? withoutDemands(await source.versions(name)) : null,
  )
  return resolved.get(name)!
}

function withoutDemands(versions: ModuleVersions | null): ModuleVersions | null {
  return versions === null ? null : new Map([...versions.keys()].map((version) => [version, {}]))
}

async function choose(
  line: ModulesArguments,
  wanted: SiteModules,
  lock: SiteModules,
  lookUp: LookUp,
): Promise<SiteModules> {
  const locked: Record<string, string> = { ...lock.devDependencies, ...lock.dependencies }
  // An update takes the newest of what is named, or of all.
  for (const name of line.verb === 'update' ? Object.keys(locked) : [])
    if (line.names.length === 0 || line.names.some((each) => each.name === name)) delete locked[name]
  const dependencies = await resolveModules(wanted.dependencies, lookUp, locked)
  const dev = line.dev || line.names.some(({ name }) => Object.hasOwn(wanted.devDependencies, name))
  if (!dev)
    return { dependencies: Object.fromEntries(dependencies), devDependencies: lock.devDependencies, registries: {} }
  const all = await resolveModules({ ...wanted.devDependencies, ...wanted.dependencies }, lookUp, {
    ...locked,
    ...Object.fromEntries(dependencies),
  })
  const production = Object.fromEntries([...all].filter(([name]) => dependencies.has(name)))
  const rest = Object.fromEntries([...all].filter(([name]) => !dependencies.has(name)))
  return { dependencies: production, devDependencies: rest, registries: {} }
}

/** What the lock says, where it is what the site asks for. @throws StartError */
function frozen(wanted: SiteModules, lock: SiteModules, dev: boolean): SiteModules {
  const versions = { ...lock.devDependencies, ...lock.dependencies }
  const all = { ...(dev ? wanted.devDependencies : {}), ...wanted.dependencies }
  for (const [name, range] of Object.entries(all)) {
    const version = Object.hasOwn(versions, name) ? versions[name]! : null
    if (version !== null && satisfies(version, range, { includePrerelease: true })) continue
    const has = version === null ? 'does not have' : `has ${version} of`
    throw new StartError(
      `${LOCK} ${has} the module '${name}', and ${MANIFEST} asks for ${range}: \`ingot modules install\` brings the lock up to date.`,
    )
  }
  return { dependencies: lock.dependencies, devDependencies: dev ? lock.devDependencies : {}, registries: {} }
}

async function listed(dir: string, wanted: SiteModules): Promise<string> {
  const lock = await readLock(dir)
  const locked: Readonly<Record<string, string>> = { ...lock.devDependencies, ...lock.dependencies }
  const ranges: Readonly<Record<string, string>> = { ...wanted.devDependencies, ...wanted.dependencies }
  const names = [...new Set([...Object.keys(ranges), ...Object.keys(locked)])].sort()
  if (names.length === 0) return `The site in '${resolve(dir)}' asks for no modules.\n`
  const rows = [['MODULE', 'ASKED FOR', 'LOCKED', 'INSTALLED', '']]
  for (const name of names) {
    const installed = await installedVersion(dir, name)
    const version = locked[name] ?? null
    const state =
      installed === null ? 'missing' : version === null ? 'not locked' : installed === version ? '' : 'another version'
    rows.push([name, ranges[name] ?? '', version ?? '', installed ?? '', state])
  }
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
