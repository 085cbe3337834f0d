/**
 * Lists the installed modules of a site for templates. Names come from the site's units, versions from manifests.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { LoadedSite } from './load.ts'

/** The value of `context.modules.NAME`. */
export interface ModuleFacts {
  readonly name: string
  readonly scope_name: string
  readonly version: string | null
}

/** The properties of a site that its modules are determined from. */
type SiteOfModules = Pick<LoadedSite, 'root' | 'folder' | 'live'> & { readonly site: CompiledSite }

const FOLDERS: readonly string[] = ['modules', 'app/modules', 'marketplace_builder/modules']
/** Manifest files of a module: the current name, and the name in older modules. */
const MANIFESTS: readonly string[] = ['pos-module.json', 'template-values.json']

/** A folder is a module when it contains one of the two folders of a module's files. */
function isModule(folder: string): boolean {
  return namesIn(folder).some((part) => part === 'public' || part === 'private')
}

function modulesIn(root: string, folder: string): readonly string[] {
  return namesIn(join(root, folder)).filter((name) => isModule(join(root, folder, name)))
}

/** Returns the module in the root itself, as named by its manifest. */
function moduleAt(root: string): readonly string[] {
  const name = isModule(root) ? rootName(root) : undefined
  return name === undefined ? [] : [name]
}

/** Lists a folder. Empty for a missing folder, because few sites have all folders. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function moduleOfUnit(unit: string): readonly string[] {
  const name = /^modules\/([^/]+)\//.exec(unit)?.[1]
  return name === undefined ? [] : [name]
}

/** Returns the modules of a site, sorted by name. A build contains the manifests, because it is served without the site's folder. */
export function installedModules({ site, root: source, folder, live }: SiteOfModules): readonly ModuleFacts[] {
  const root = live ? source : join(folder, 'manifests')
  const units = [
    ...site.pages.map(({ file }) => file.replace(/^(?:app|marketplace_builder)\//, '')),
    ...[site.partials, site.layouts, site.policies, site.forms, site.operations, site.assets].flatMap((each) =>
      Object.keys(each),
    ),
    ...site.data.tables.map((table) => table.name),
  ]
  const names = new Set([
    // A build contains only the manifests of modules.
    ...FOLDERS.flatMap((folder) => (live ? modulesIn(root, folder) : namesIn(join(root, folder)))),
    ...(live ? moduleAt(root) : []),
    ...units.flatMap(moduleOfUnit),
  ])
  if (names.size === 0) return []
  const locked = lockedVersions(root)
  return [...names].sort().map((scope) => {
    const rootManifest = readManifest(root, scope)
    return {
      name: rootManifest.name ?? scope,
      scope_name: scope,
      version: rootManifest.version ?? locked.get(scope) ?? null,
    }
  })
}

const text = z.string().min(1).max(200).optional().catch(undefined)
const machineName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/)
  .optional()
  .catch(undefined)
const manifest = z.object({ name: text, version: text, machine_name: machineName }).catch({})
type Manifest = z.infer<typeof manifest>

/** Returns the manifest of a module: from its folder, or from the root if that manifest names the module. */
function readManifest(root: string, scope: string): Manifest {
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
    const parsedManifest = readJson(join(folder, file))
    return parsedManifest === undefined ? [] : [manifest.parse(parsedManifest)]
  })
}

const versions = z
  .record(z.string(), z.union([z.string().max(200), z.object({ version: z.string().max(200) })]).catch(''))
  .catch({})
const lock = z.object({ modules: versions, dependencies: versions, devDependencies: versions }).partial().catch({})

/** Returns the versions in the site's lock file, or in that of older sites. */
function lockedVersions(root: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  for (const file of ['pos-module.lock.json', 'app/pos-modules.lock.json']) {
    const { modules, dependencies, devDependencies } = lock.parse(readJson(join(root, file)))
    for (const [name, value] of [modules, devDependencies, dependencies].flatMap((each) =>
      Object.entries(each ?? {}),
    )) {
      const version = typeof value === 'string' ? value : value.version
      if (version !== '' && !(versions.has(name) && file.startsWith('app/'))) versions.set(name, version)
    }
  }
  return versions
}

/** Reads a JSON file; undefined when it is missing or invalid. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
