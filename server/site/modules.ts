/** The modules that a site is built of, as templates see them: names from its units, versions from the files that modules bring. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { CompiledSite } from '../../runtime/page/site.ts'

/** What `context.modules.NAME` holds. */
export interface ModuleFacts {
  readonly name: string
  readonly scope_name: string
  readonly version: string | null
}

const FOLDERS: readonly string[] = ['modules', 'app/modules', 'marketplace_builder/modules']
/** What a module says of itself: today's file, then the one of older modules. */
const MANIFESTS: readonly string[] = ['pos-module.json', 'template-values.json']

/** A folder is a module where it has one of the two folders that its files stand in. */
function isModule(folder: string): boolean {
  return namesIn(folder).some((part) => part === 'public' || part === 'private')
}

function modulesIn(root: string, folder: string): readonly string[] {
  return namesIn(join(root, folder)).filter((name) => isModule(join(root, folder, name)))
}

/** The module that stands in the root itself, as its manifest names it. */
function moduleAt(root: string): readonly string[] {
  const name = isModule(root) ? rootName(root) : undefined
  return name === undefined ? [] : [name]
}

/** Nothing for a folder that is not there: few sites have all of them. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function moduleOf(unit: string): readonly string[] {
  const name = /^modules\/([^/]+)\//.exec(unit)?.[1]
  return name === undefined ? [] : [name]
}

/** The modules of a site, in the order of their names. @param root the site's folder */
export function installedModules(site: CompiledSite, root: string): readonly ModuleFacts[] {
  // A site may run far from its sources: then what it was built of tells its modules.
  const units = [
    ...site.pages.map(({ file }) => file.replace(/^(?:app|marketplace_builder)\//, '')),
    ...[site.partials, site.layouts, site.policies, site.forms, site.operations].flatMap((each) => Object.keys(each)),
    ...site.data.tables.map((table) => table.name),
  ]
  const names = new Set([
    ...FOLDERS.flatMap((folder) => modulesIn(root, folder)),
    ...moduleAt(root),
    ...units.flatMap(moduleOf),
  ])
  if (names.size === 0) return []
  const locked = lockedVersions(root)
  return [...names].sort().map((scope) => {
    const own = manifestOf(root, scope)
    return { name: own.name ?? scope, scope_name: scope, version: own.version ?? locked.get(scope) ?? null }
  })
}

// ---- files that modules bring ------------------------------------------------------------------------------------------

const text = z.string().min(1).max(200).optional().catch(undefined)
const machineName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/)
  .optional()
  .catch(undefined)
const manifest = z.object({ name: text, version: text, machine_name: machineName }).catch({})
type Manifest = z.infer<typeof manifest>

/** What a module says of itself: in its folder, else in the root, where that names it. */
function manifestOf(root: string, scope: string): Manifest {
  for (const folder of FOLDERS) {
    const [found] = manifestsIn(join(root, folder, scope))
    if (found !== undefined) return found
  }
  return manifestsIn(root).find((each) => each.machine_name === scope) ?? {}
}

function rootName(root: string): string | undefined {
  return manifestsIn(root).find((each) => each.machine_name !== undefined)?.machine_name
}

function manifestsIn(folder: string): readonly Manifest[] {
  return MANIFESTS.flatMap((file) => {
    const found = readJson(join(folder, file))
    return found === undefined ? [] : [manifest.parse(found)]
  })
}

const versions = z
  .record(z.string(), z.union([z.string().max(200), z.object({ version: z.string().max(200) })]).catch(''))
  .catch({})
const lock = z.object({ modules: versions, dependencies: versions, devDependencies: versions }).partial().catch({})

/** Versions that the site's own lock file, or the one of older sites, has settled. */
function lockedVersions(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const file of ['pos-module.lock.json', 'app/pos-modules.lock.json']) {
    const { modules, dependencies, devDependencies } = lock.parse(readJson(join(root, file)))
    for (const [name, value] of [modules, devDependencies, dependencies].flatMap((each) =>
      Object.entries(each ?? {}),
    )) {
      const version = typeof value === 'string' ? value : value.version
      if (version !== '' && !(found.has(name) && file.startsWith('app/'))) found.set(name, version)
    }
  }
  return found
}

/** Undefined for a file that is not there, or no JSON. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
