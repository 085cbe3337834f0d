/** Where modules are taken from: a folder, an archive, or a registry. */
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
  /** For messages, and as the lock names it. */
  readonly shown: string
  /** Whether a lock names it: others may be in another place on another machine. */
  readonly isRegistry: boolean
  /** The versions of a module; null where there is none of the name. @throws StartError */
  versions(name: string): Promise<ModuleVersions | null>
  /** Writes the files of a module into an empty folder. @throws StartError */
  take(name: string, version: string, into: string): Promise<void>
  close(): Promise<void>
}

/** Unpacks an archive into a folder that is not there yet. @param shown how messages name it. @throws StartError */
export type Unpack = (archive: string, into: string, shown: string) => Promise<void>

/** Bytes of the largest archive, and milliseconds in which a registry has to answer. */
const LARGEST = 100 * 1024 * 1024
const PATIENCE = 60_000
/** Bytes of the longest answer of a registry. */
const LONGEST = 16 * 1024 * 1024
/** Files of a module that tell its version; the second one is that of older modules. */
const MANIFESTS: readonly string[] = ['pos-module.json', 'template-values.json']
/** What tells that a folder holds the files of a module. */
const PARTS: readonly string[] = ['public', 'private']

/** Opens the folder, archive or registry that a text names. @throws StartError where there is none */
export async function openSource(given: string, unpack: Unpack): Promise<ModuleSource> {
  if (isUrl(given)) return registry(given.replace(/\/+$/, ''), unpack)
  const info = statSync(given, { throwIfNoEntry: false })
  if (info?.isDirectory()) return folderSource(given, unpack)
  if (info?.isFile()) return archiveSource(given, unpack)
  throw new StartError(
    `There is no '${given}' to take modules from: give a folder, an archive, or the URL of a registry.`,
  )
}

/** A module that lies in a folder. */
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
    if (found.size === 0) throw new StartError(`'${archive}' holds no module with a manifest that tells its version.`)
    return local(archive, found, unpacked)
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    throw error
  }
}

function local(shown: string, found: LocalModules, unpacked: string): ModuleSource {
  return {
    shown,
    isRegistry: false,
    async versions(name) {
      const versions = found.get(name)
      return versions === undefined
        ? null
        : new Map([...versions].map(([version, { dependencies }]) => [version, dependencies]))
    },
    async take(name, version, into) {
      const module = found.get(name)?.get(version)
      if (module === undefined) throw new StartError(`'${shown}' has no module '${name}' ${version}.`)
      await cp(module.folder, into, { recursive: true, filter: (path) => !isTool(basename(path)) })
    },
    close: () => rm(unpacked, { recursive: true, force: true }),
  }
}

function isTool(name: string): boolean {
  return name === 'node_modules' || name === '.git'
}

/** The modules in a folder: the folder itself, each folder in it, and those in its folder `modules`. */
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

/** What the manifests in a folder tell of the module in it; null where it is none, or has no version. */
async function describe(folder: string): Promise<{
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
} | null> {
  if (!isModule(folder)) return null
  const told = await toldBy(folder)
  const name = told.machine_name ?? basename(folder)
  const version = valid(told.version ?? '')
  if (version === null || !moduleName.safeParse(name).success) return null
  return { name, version, dependencies: told.dependencies ?? {} }
}

function isModule(folder: string): boolean {
  return PARTS.some((part) => statSync(join(folder, part), { throwIfNoEntry: false })?.isDirectory())
}

/** The manifest of a module, over what its older form tells. */
async function toldBy(folder: string): Promise<z.infer<typeof manifestForm>> {
  let told: z.infer<typeof manifestForm> = {}
  for (const file of MANIFESTS.toReversed()) {
    const path = join(folder, file)
    told = { ...told, ...(await readJsonFile(path, path, manifestForm)) }
  }
  return told
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
    shown: url,
    isRegistry: true,
    async versions(name) {
      const told = await ask(`${url}/api/pos_modules?modules=${encodeURIComponent(name)}`, url, versionsForm)
      const found = told?.find(({ module }) => module === name)
      if (found === undefined) return null
      const versions = Object.entries(found.versions).filter(([version]) => valid(version) !== null)
      return new Map(versions.map(([version, own]) => [version, own?.dependencies ?? {}]))
    },
    async take(name, version, into) {
      const asked = `${url}/api/pos_module_version?name=${encodeURIComponent(`${name}@${version}`)}`
      const told = await ask(asked, url, versionForm)
      if (told === null) throw new StartError(`The registry ${url} has no module '${name}' ${version}.`)
      const folder = await mkdtemp(join(tmpdir(), 'ingot-modules-'))
      try {
        const archive = join(folder, 'archive.zip')
        await download(told.public_archive, archive, `the module '${name}' ${version}`)
        const unpacked = join(folder, 'archive')
        await unpack(archive, unpacked, `of the module '${name}' ${version} from ${url}`)
        const place = await placeOf(name, unpacked)
        if (place === null)
          throw new StartError(`The archive of the module '${name}' ${version} from ${url} does not hold the module.`)
        await cp(place, into, { recursive: true })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: async () => undefined,
  }
}

/**
 * The folder of a module in an unpacked archive; null where it is not there. The registry knows better than the module's own manifest
 * which version it is.
 */
async function placeOf(name: string, unpacked: string): Promise<string | null> {
  for (const folder of [join(unpacked, name), join(unpacked, 'modules', name), unpacked])
    if (isModule(folder) && (basename(folder) === name || (await toldBy(folder)).machine_name === name)) return folder
  return null
}

/** What a registry answers; null where it has nothing. @throws StartError */
async function ask<T>(address: string, url: string, form: z.ZodType<T>): Promise<T | null> {
  let response: Response
  let text: string
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), headers: { accept: 'application/json' } })
    text = await textOf(response)
  } catch (error) {
    throw new StartError(`The registry ${url} cannot be reached (${reasonOf(error)}).`)
  }
  if (response.status === 404) return null
  if (!response.ok) throw new StartError(`The registry ${url} answered with status ${response.status}.`)
  try {
    return form.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${url} is no registry of modules: its answer is of another form.`)
  }
}

/** The text of an answer. @throws Error for one that is too long to be that of a registry */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > LONGEST) throw new Error(`its answer has more than ${LONGEST / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function download(address: string, to: string, what: string): Promise<void> {
  let response: Response
  try {
    if (!isUrl(address)) throw new Error(`'${address}' is no address`)
    response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) })
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    let bytes = 0
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          if (bytes > LARGEST) throw new Error(`it has more than ${LARGEST / 1024 / 1024} MB`)
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
