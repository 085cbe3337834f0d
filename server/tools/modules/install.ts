/** Installs modules into the folder of a site. Each module is replaced atomically. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { readJsonFile } from '../remote/json-file.ts'
import { REPLACED, STAGING } from './modules-lock.ts'
import type { ModuleSource } from './sources.ts'

/** A module to install. */
export interface Chosen {
  readonly name: string
  readonly version: string
  readonly source: ModuleSource
}

const MANIFESTS: readonly string[] = ['pos-module.json', 'template-values.json']
const versionForm = z.looseObject({ version: z.string().optional().catch(undefined) })

/** Returns the version of an installed module: null when it is not installed, '' when the version is unknown. */
export async function installedVersion(dir: string, name: string): Promise<string | null> {
  const folder = join(dir, 'modules', name)
  if (!existsSync(folder)) return null
  for (const file of MANIFESTS) {
    const path = join(folder, file)
    const version = (await readJsonFile(path, path, versionForm))?.version
    if (version !== undefined) return version
  }
  return ''
}

/**
 * Installs modules. All are fetched before the first is replaced. The caller holds the modules lock.
 * @throws StartError
 */
export async function placeModules(dir: string, modules: readonly Chosen[]): Promise<void> {
  if (modules.length === 0) return
  const folder = join(dir, 'modules')
  await mkdir(folder, { recursive: true })
  // The staging folder is on the same disk, so that renaming is enough.
  const staging = await mkdtemp(join(folder, STAGING))
  try {
    for (const { name, version, source } of modules) {
      const into = join(staging, name)
      await mkdir(into)
      await source.fetch(name, version, into)
    }
    for (const { name } of modules)
      await replace(join(folder, name), join(staging, name), join(staging, `${name}${REPLACED}`))
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function replace(place: string, next: string, oldText: string): Promise<void> {
  const had = existsSync(place)
  if (had) await rename(place, oldText)
  try {
    await rename(next, place)
  } catch (error) {
    if (had) await rename(oldText, place)
    throw error
  }
}
