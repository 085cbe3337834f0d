/** Reads and writes the modules that a site requires (`pos-module.json`), and their locked versions (`pos-module.lock.json`). */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validRange } from 'semver'
import * as z from 'zod'
import { readJsonFile } from '../remote/json-file.ts'
import { isUrl } from '../remote/target.ts'
import { StartError } from '../../core/start-error.ts'

export const MANIFEST = 'pos-module.json'
export const LOCK = 'pos-module.lock.json'
/** Files of older sites with the same purpose. They are read, but never written. */
const OLD_MANIFEST = 'app/pos-modules.json'
const OLD_LOCK = 'app/pos-modules.lock.json'

/** The machine name of a module, which is the name of its folder. */
export const moduleName = z
  .string()
  .regex(/^[a-z0-9][\w-]{0,99}$/i, 'the name of a module may have letters, digits, - and _')

const range = z.string().refine((text) => validRange(text) !== null, 'not a version or a range of versions')
const version = z.string().regex(/^[\w.+-]{1,100}$/, 'not a version')
const url = z.string().refine((text) => isUrl(text) && URL.canParse(text), 'not a URL')

/** Ranges of versions by module name. */
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

/** Locked versions by module name. */
export interface ModuleLock extends SiteModules {}

const NONE: SiteModules = { dependencies: {}, devDependencies: {}, registries: {} }

/** Reads the required modules. @throws StartError with the location of an error */
export async function readManifest(dir: string): Promise<SiteModules> {
  const read = await readJsonFile(join(dir, MANIFEST), MANIFEST, manifest)
  if (read !== null) return { ...NONE, ...withoutUndefined(read) }
  const old = await readJsonFile(join(dir, OLD_MANIFEST), OLD_MANIFEST, oldManifest)
  return { ...NONE, dependencies: old?.modules ?? {} }
}

/** Reads the locked versions. @throws StartError with the location of an error */
export async function readLock(dir: string): Promise<ModuleLock> {
  const read = await readJsonFile(join(dir, LOCK), LOCK, lock)
  if (read !== null) return { ...NONE, ...withoutUndefined(read) }
  const old = await readJsonFile(join(dir, OLD_LOCK), OLD_LOCK, oldLock)
  return { ...NONE, dependencies: old?.modules ?? {} }
}

function withoutUndefined(read: z.infer<typeof manifest>): Partial<SiteModules> {
  const { dependencies, devDependencies, registries } = read
  return {
    ...(dependencies !== undefined && { dependencies }),
    ...(devDependencies !== undefined && { devDependencies }),
    ...(registries !== undefined && { registries }),
  }
}

/** Writes the required modules. Other content of the file stays unchanged. @throws StartError */
export async function writeManifest(dir: string, { dependencies, devDependencies }: SiteModules): Promise<void> {
  const path = join(dir, MANIFEST)
  const before = (await readJsonFile(path, MANIFEST, manifest)) ?? {}
  const dev = Object.keys(devDependencies).length === 0 ? {} : { devDependencies: sortByName(devDependencies) }
  const { devDependencies: _, ...others } = before
  await write(path, MANIFEST, { ...others, dependencies: sortByName(dependencies), ...dev })
}

/** Writes the locked versions. @throws StartError */
export async function writeLock(dir: string, chosen: ModuleLock): Promise<void> {
  await write(join(dir, LOCK), LOCK, {
    dependencies: sortByName(chosen.dependencies),
    devDependencies: sortByName(chosen.devDependencies),
    ...(Object.keys(chosen.registries).length > 0 && { registries: sortByName(chosen.registries) }),
  })
}

function sortByName(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function write(path: string, displayName: string, value: object): Promise<void> {
  // Written to a draft first, so that a killed process leaves the old file.
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new StartError(
      `'${displayName}' cannot be written (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}
