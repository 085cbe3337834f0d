/** The modules that a site asks for (`pos-module.json`), and those that were chosen for it (`pos-module.lock.json`). */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validRange } from 'semver'
import * as z from 'zod'
import { readJsonFile } from '../remote/json-file.ts'
import { isUrl } from '../remote/target.ts'
import { StartError } from '../../core/start-error.ts'

export const MANIFEST = 'pos-module.json'
export const LOCK = 'pos-module.lock.json'
/** What older sites have in their place; these are read, and never written. */
const OLD_MANIFEST = 'app/pos-modules.json'
const OLD_LOCK = 'app/pos-modules.lock.json'

/** The machine name of a module, which is its folder. */
export const moduleName = z
  .string()
  .regex(/^[a-z0-9][\w-]{0,99}$/i, 'the name of a module has letters, digits, - and _')

const range = z.string().refine((text) => validRange(text) !== null, 'not a version, nor a range of versions')
const version = z.string().regex(/^[\w.+-]{1,100}$/, 'not a version')
const url = z.string().refine((text) => isUrl(text) && URL.canParse(text), 'not a URL')

/** Ranges by name. */
export type Wanted = Readonly<Record<string, string>>

const manifest = z.looseObject({
  dependencies: z.record(moduleName, range).optional(),
  devDependencies: z.record(moduleName, range).optional(),
  registries: z.record(moduleName, url).optional(),
})
const lock = z.looseObject({
  dependencies: z.record(moduleName, version).optional(),
  devDependencies: z.record(moduleName, version).optional(),
  registries: z.record(moduleName, url).optional(),
})
const oldManifest = z.looseObject({ modules: z.record(moduleName, range).optional() })
const oldLock = z.looseObject({ modules: z.record(moduleName, version).optional() })

export interface SiteModules {
  readonly dependencies: Wanted
  readonly devDependencies: Wanted
  /** URLs of the registries of single modules. */
  readonly registries: Readonly<Record<string, string>>
}

/** Versions by name. */
export interface ModuleLock extends SiteModules {}

const NONE: SiteModules = { dependencies: {}, devDependencies: {}, registries: {} }

/** @throws StartError that names the place of what is wrong */
export async function readManifest(dir: string): Promise<SiteModules> {
  const read = await readJsonFile(join(dir, MANIFEST), MANIFEST, manifest)
  if (read !== null) return { ...NONE, ...defined(read) }
  const old = await readJsonFile(join(dir, OLD_MANIFEST), OLD_MANIFEST, oldManifest)
  return { ...NONE, dependencies: old?.modules ?? {} }
}

/** @throws StartError that names the place of what is wrong */
export async function readLock(dir: string): Promise<ModuleLock> {
  const read = await readJsonFile(join(dir, LOCK), LOCK, lock)
  if (read !== null) return { ...NONE, ...defined(read) }
  const old = await readJsonFile(join(dir, OLD_LOCK), OLD_LOCK, oldLock)
  return { ...NONE, dependencies: old?.modules ?? {} }
}

function defined(read: z.infer<typeof manifest>): Partial<SiteModules> {
  const { dependencies, devDependencies, registries } = read
  return {
    ...(dependencies !== undefined && { dependencies }),
    ...(devDependencies !== undefined && { devDependencies }),
    ...(registries !== undefined && { registries }),
  }
}

/** Writes what the site asks for, and leaves everything else in the file as it is. @throws StartError */
export async function writeManifest(dir: string, { dependencies, devDependencies }: SiteModules): Promise<void> {
  const path = join(dir, MANIFEST)
  const before = (await readJsonFile(path, MANIFEST, manifest)) ?? {}
  const dev = Object.keys(devDependencies).length === 0 ? {} : { devDependencies: sorted(devDependencies) }
  const { devDependencies: _, ...others } = before
  await write(path, MANIFEST, { ...others, dependencies: sorted(dependencies), ...dev })
}

/** @throws StartError */
export async function writeLock(dir: string, chosen: ModuleLock): Promise<void> {
  await write(join(dir, LOCK), LOCK, {
    dependencies: sorted(chosen.dependencies),
    devDependencies: sorted(chosen.devDependencies),
    ...(Object.keys(chosen.registries).length > 0 && { registries: sorted(chosen.registries) }),
  })
}

function sorted(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function write(path: string, shown: string, value: object): Promise<void> {
  // Beside its place, so that who is killed here leaves the one that was there.
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new StartError(`'${shown}' cannot be written (${error instanceof Error ? error.message : String(error)}).`)
  }
}
