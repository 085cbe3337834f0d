/** Sources of modules: a folder, an archive, or a registry. */
import { createWriteStream, statSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { valid } from 'semver'
import * as z from 'zod'
import { readJsonFile } from '../remote/json-file.ts'
import { isUrl } from '../remote/target.ts'
import { StartError } from '../../core/start-error.ts'
import { moduleName } from './manifest.ts'
import type { ModuleVersions } from './resolve.ts'

export interface ModuleSource {
  /** Name for messages, and for the lock. */
  readonly displayName: string
  /** Whether it is recorded in a lock. Folders and archives are not, because they differ between machines. */
  readonly isRegistry: boolean
  /** Returns the versions of a module; null when there is no such module. @throws StartError */
  versions(name: string): Promise<ModuleVersions | null>
  /** Writes the files of a module into an empty folder. @throws StartError */
  fetch(name: string, version: string, into: string): Promise<void>
  close(): Promise<void>
}

/** Unpacks an archive into a new folder. @param displayName name of the archive for messages. @throws StartError */
export type Unpack = (archive: string, into: string, displayName: string) => Promise<void>

/** Maximum size of an archive in bytes. */
const MAX_ARCHIVE_BYTES = 100 * 1024 * 1024
/** Milliseconds in which a registry has to respond. */
const REGISTRY_TIMEOUT = 60_000
/** Maximum size of a registry's response in bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
/** Files with the version of a module. Older modules have the second file. */
const MANIFESTS: readonly string[] = ['pos-module.json', 'template-values.json']
/** Folders by which a module's folder is recognized. */
const MODULE_FOLDERS: readonly string[] = ['public', 'private']

/** Opens a folder, an archive, or a registry. @throws StartError when there is none */
export async function openSource(given: string, unpack: Unpack): Promise<ModuleSource> {
  if (isUrl(given)) return registry(given.replace(/\/+$/, ''), unpack)
  const info = statSync(given, { throwIfNoEntry: false })
  if (info?.isDirectory()) return folderSource(given, unpack)
  if (info?.isFile()) return archiveSource(given, unpack)
  throw new StartError(`'${given}' is not a source of modules: give a folder, an archive, or the URL of a registry.`)
}

/** A module in a folder. */
interface LocalModule {
  readonly folder: string
  readonly dependencies: Readonly<Record<string, string>>
}

type LocalModules = ReadonlyMap<string, ReadonlyMap<string, LocalModule>>

async function folderSource(folder: string, unpack: Unpack): Promise<ModuleSource> {
  const unpacked = await mkdtemp(join(tmpdir(), 'ingot-modules-'))
  try {
    const found = new Map<string, Map<string, LocalModule>>()
    await addModules(found, folder)
    const archives = (await readdir(folder)).filter((name) => /\.zip$/i.test(name)).sort()
    for (const [at, name] of archives.entries()) {
      const into = join(unpacked, String(at))
      await unpack(join(folder, name), into, `'${join(folder, name)}'`)
      await addModules(found, into)
    }
    return local(folder, found, unpacked)
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    throw error
  }
}

async function archiveSource(archive: string, unpack: Unpack): Promise<ModuleSource> {
  const unpacked = await mkdtemp(join(tmpdir(), 'ingot-modules-'))
  try {
    const into = join(unpacked, 'archive')
    await unpack(archive, into, `'${archive}'`)
    const found = new Map<string, Map<string, LocalModule>>()
    await addModules(found, into)
    if (found.size === 0)
      throw new StartError(`'${archive}' contains no module whose manifest has a version: give another archive.`)
    return local(archive, found, unpacked)
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    throw error
  }
}

function local(displayName: string, found: LocalModules, unpacked: string): ModuleSource {
  return {
    displayName,
    isRegistry: false,
    async versions(name) {
      const versions = found.get(name)
      return versions === undefined
        ? null
        : new Map([...versions].map(([version, { dependencies }]) => [version, dependencies]))
    },
    async fetch(name, version, into) {
      const module = found.get(name)?.get(version)
      if (module === undefined) throw new StartError(`'${displayName}' has no module '${name}' ${version}.`)
      await cp(module.folder, into, { recursive: true, filter: (path) => !isTool(basename(path)) })
    },
    close: () => rm(unpacked, { recursive: true, force: true }),
  }
}

function isTool(name: string): boolean {
  return name === 'node_modules' || name === '.git'
}

/** Adds the modules of a folder: the folder itself, its subfolders, and those of its folder `modules`. */
async function addModules(found: Map<string, Map<string, LocalModule>>, folder: string): Promise<void> {
  const places = [folder, ...(await foldersIn(folder)), ...(await foldersIn(join(folder, 'modules')))]
  for (const place of places) {
    const described = await describe(place)
    if (described === null) continue
    const { name, version, dependencies } = described
    const versions = found.get(name) ?? new Map<string, LocalModule>()
    found.set(name, versions)
    versions.set(version, { folder: place, dependencies })
  }
}

const manifestForm = z.looseObject({
  machine_name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  dependencies: z.record(z.string(), z.string()).optional().catch(undefined),
})

/** Reads the manifests of a module's folder; returns null when it is not a module, or has no version. */
async function describe(folder: string): Promise<{
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
} | null> {
  if (!isModule(folder)) return null
  const manifest = await readModuleManifest(folder)
  const name = manifest.machine_name ?? basename(folder)
  const version = valid(manifest.version ?? '')
  if (version === null || !moduleName.safeParse(name).success) return null
  return { name, version, dependencies: manifest.dependencies ?? {} }
}

function isModule(folder: string): boolean {
  return MODULE_FOLDERS.some((part) => statSync(join(folder, part), { throwIfNoEntry: false })?.isDirectory())
}

/** Reads the manifest of a module, with missing fields from its older form. */
async function readModuleManifest(folder: string): Promise<z.infer<typeof manifestForm>> {
  let manifest: z.infer<typeof manifestForm> = {}
  for (const file of MANIFESTS.toReversed()) {
    const path = join(folder, file)
    manifest = { ...manifest, ...(await readJsonFile(path, path, manifestForm)) }
  }
  return manifest
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
}

// ---- registry ----------------------------------------------------------------------------------------------------------

const versionsForm = z.array(
  z.looseObject({
    module: z.string(),
    versions: z.record(
      z.string(),
      z.looseObject({ dependencies: z.record(z.string(), z.string()).nullish().catch(null) }).nullish(),
    ),
  }),
)
const versionForm = z.looseObject({ public_archive: z.string() })

function registry(url: string, unpack: Unpack): ModuleSource {
  return {
    displayName: url,
    isRegistry: true,
    async versions(name) {
      const modules = await callRegistry(
        `${url}/api/pos_modules?modules=${encodeURIComponent(name)}`,
        url,
        versionsForm,
      )
      const found = modules?.find(({ module }) => module === name)
      if (found === undefined) return null
      const versions = Object.entries(found.versions).filter(([version]) => valid(version) !== null)
      return new Map(versions.map(([version, own]) => [version, own?.dependencies ?? {}]))
    },
    async fetch(name, version, into) {
      const address = `${url}/api/pos_module_version?name=${encodeURIComponent(`${name}@${version}`)}`
      const info = await callRegistry(address, url, versionForm)
      if (info === null) throw new StartError(`The registry ${url} has no module '${name}' ${version}.`)
      const folder = await mkdtemp(join(tmpdir(), 'ingot-modules-'))
      try {
        const archive = join(folder, 'archive.zip')
        await download(info.public_archive, archive, `the module '${name}' ${version}`)
        const unpacked = join(folder, 'archive')
        await unpack(archive, unpacked, `of the module '${name}' ${version} from ${url}`)
        const place = await findModuleFolder(name, unpacked)
        if (place === null)
          throw new StartError(
            `The archive of the module '${name}' ${version} from ${url} does not contain the module.`,
          )
        await cp(place, into, { recursive: true })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: async () => undefined,
  }
}

/**
 * Returns the folder of a module in an unpacked archive; null when it is missing. Its version is not checked, because the registry
 * determines it.
 */
async function findModuleFolder(name: string, unpacked: string): Promise<string | null> {
  for (const folder of [join(unpacked, name), join(unpacked, 'modules', name), unpacked])
    if (isModule(folder) && (basename(folder) === name || (await readModuleManifest(folder)).machine_name === name))
      return folder
  return null
}

/** Requests JSON from a registry; returns null for status 404. @throws StartError */
async function callRegistry<T>(address: string, url: string, form: z.ZodType<T>): Promise<T | null> {
  let response: Response
  let text: string
  try {
    response = await fetch(address, {
      signal: AbortSignal.timeout(REGISTRY_TIMEOUT),
      headers: { accept: 'application/json' },
    })
    text = await readLimited(response)
  } catch (error) {
    throw new StartError(`The registry ${url} cannot be reached (${reasonOf(error)}).`)
  }
  if (response.status === 404) return null
  if (!response.ok) throw new StartError(`The registry ${url} answered with status ${response.status}.`)
  try {
    return form.parse(JSON.parse(text))
  } catch {
    throw new StartError(
      `${url} is not a registry of modules, because its response has another format: give another URL.`,
    )
  }
}

/** Reads the text of a response. @throws Error when it is too long */
async function readLimited({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`its response has more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function download(address: string, to: string, what: string): Promise<void> {
  let response: Response
  try {
    if (!isUrl(address)) throw new Error(`'${address}' is not a URL`)
    response = await fetch(address, { signal: AbortSignal.timeout(REGISTRY_TIMEOUT) })
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    let bytes = 0
    const body = Readable.fromWeb(response.body)
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          if (bytes > MAX_ARCHIVE_BYTES) throw new Error(`it has more than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MB`)
          yield chunk
        }
      },
      createWriteStream(to, { flags: 'wx' }),
    )
  } catch (error) {
    throw new StartError(`The archive of ${what} could not be downloaded (${reasonOf(error)}).`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
