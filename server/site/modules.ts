/** The modules that a site is built of, as templates see them: names from its units, versions from the files that modules bring. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { CompiledSite } from '../../runtime/site.ts'

/** What `context.modules.NAME` holds. */
export interface ModuleFacts {
  readonly name: string
  readonly scope_name: string
  readonly version: string | null
}

const FOLDERS: readonly string[] = ['modules', 'app/modules', 'marketplace_builder/modules']

/** A folder is a module where it has one of the two folders that its files stand in. */
function modulesIn(root: string, folder: string): readonly string[] {
  return namesIn(join(root, folder)).filter((name) =>
    namesIn(join(root, folder, name)).some((part) => part === 'public' || part === 'private'),
  )
}

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
  const names = new Set([...FOLDERS.flatMap((folder) => modulesIn(root, folder)), ...units.flatMap(moduleOf)])
  if (names.size === 0) return []
  const locked = lockedVersions(root)
  return [...names].sort().map((scope) => {
    const own = manifestOf(root, scope)
    return { name: own.name ?? scope, scope_name: scope, version: own.version ?? locked.get(scope) ?? null }
  })
}

// ---- files that modules bring ------------------------------------------------------------------------------------------

const text = z.string().min(1).max(200).optional().catch(undefined)
const manifest = z.object({ name: text, version: text }).catch({})

/** What a module says of itself: today's file, then the one of older modules. */
function manifestOf(
  root: string,
  scope: string,
): { readonly name?: string | undefined; readonly version?: string | undefined } {
  for (const folder of FOLDERS) {
    for (const file of ['pos-module.json', 'template-values.json']) {
      const found = readJson(join(root, folder, scope, file))
      if (found !== undefined) return manifest.parse(found)
    }
  }
  return {}
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
