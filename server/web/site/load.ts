/**
 * Loads what `ingot build` wrote. An incompatible bundle is refused with a message. Source maps and texts are read only
 * when a fault needs them.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { SourceMapPayload } from 'node:module'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as z from 'zod'
import { createSourceLocator, type SourceLocator } from '../../../runtime/page/locate.ts'
import { ABI, type CompiledSite } from '../../../runtime/page/site.ts'
import { StartError } from '../../core/start-error.ts'
import { KeptAssets } from './kept-assets.ts'
import type { FileErrors } from './shown-error.ts'

export interface LoadedSite {
  readonly site: CompiledSite
  /** Folder of the site. Its files are served in development only. */
  readonly root: string
  /** Folder of the build. */
  readonly folder: string
  /** Whether templates and assets are read from the folder of the site, as in development. */
  readonly live: boolean
  /** Folder of the kept releases, if the build is one of them. */
  readonly releases?: string
  /** Assets of the kept releases. */
  readonly keptAssets?: KeptAssets
  /** Name of the site's folder, or of the archive that it was unpacked from. */
  readonly name: string
  /** Maps locations in emitted code to locations in templates. */
  readonly locator: SourceLocator
  /** Source of a template for error pages, null when it is unknown. */
  source(file: string): string | null
  /** In development: the compiler's errors of a template, null when it has none. */
  errors?(file: string): FileErrors | null
}

/** Location of a built site. */
export interface BuiltSite {
  readonly root: string
  /** Folder that `ingot build` wrote to. */
  readonly folder: string
  /** Name of the site, if it differs from the folder's name. */
  readonly name?: string
  /** Folder of the kept releases, if the build is one of them. */
  readonly releases?: string
  /** Edits of the build; absent without edits. */
  readonly edits?: BuildEdits
}

/** Edits of a release, up to a revision. */
export interface BuildEdits {
  readonly release: string
  readonly revision: number
}

/** Returns a build without its edits. */
export function withoutEdits({ edits: _, ...built }: BuiltSite): BuiltSite {
  return built
}

/** Returns whether a build is the previous build with later edits. */
export function isEditOf(
  builtSite: BuiltSite,
  previous: BuiltSite,
): builtSite is BuiltSite & { readonly edits: BuildEdits } {
  const { edits } = builtSite
  return (
    edits !== undefined && builtSite.folder === previous.folder && edits.revision >= (previous.edits?.revision ?? 0)
  )
}

/** The export of an emitted bundle: a function that links the bundle with the runtime of the loading process. */
const linkModule = z.object({
  default: z.custom<(runtime: object) => CompiledSite>((value) => typeof value === 'function'),
})

const manifestSchema = z.object({ abi: z.number(), builtBy: z.string() })

/** The error for a build in a format that this runtime cannot read. */
export class OtherFormat extends StartError {}

/** The error for a folder without a build. */
export class NotBuilt extends StartError {}

/**
 * Finds a built site in a folder and checks that this server can run it, without loading it.
 * @param out folder that `ingot build --out` wrote to; by default `DIR/.ingot`
 * @throws StartError
 */
export function findBuilt(dir: string, out?: string): BuiltSite {
  const root = resolve(dir)
  if (!isFolder(root)) throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  const folder = out === undefined ? join(root, '.ingot') : resolve(out)
  const build = out === undefined ? `ingot build ${dir}` : `ingot build ${dir} --out ${out}`
  const text = readText(join(folder, 'manifest.json'))
  if (text === null || !existsSync(join(folder, 'site.mjs'))) {
    throw new NotBuilt(`Nothing is built in '${dir}' yet: run \`${build}\` first.`)
  }
  const manifest = manifestSchema.safeParse(parseJson(text))
  if (!manifest.success) throw new StartError(`'${join(folder, 'manifest.json')}' is damaged: run \`${build}\` again.`)
  if (manifest.data.abi !== ABI) {
    throw new OtherFormat(
      `'${dir}' was built by Ingot ${manifest.data.builtBy} in format ${manifest.data.abi}, and this server reads format ${ABI}: run \`${build}\` again.`,
    )
  }
  return { root, folder }
}

const MAIL = /(?:^|\/)(?:emails|notifications\/email_notifications)\//

/** Returns whether a build contains mails, without loading it. */
export function hasMails({ folder }: BuiltSite): boolean {
  return Object.keys(record(parseJson(readText(join(folder, 'sources.json')) ?? '{}'))).some((file) => MAIL.test(file))
}

/** Files and settings of pages with the format `pdf`, and uploads of the type `pdf`. */
const PDF_FILE = /\.pdf(?:\.html)?\.liquid$/
const PDF_PAGE = /^format:\s*['"]?pdf\b/m
const PDF_UPLOAD = /\btype:\s*pdf\b/

/** Returns whether a build creates PDF files, as far as its texts show, without loading it. */
export function hasPdfs({ folder }: BuiltSite): boolean {
  const sources = Object.entries(record(parseJson(readText(join(folder, 'sources.json')) ?? '{}')))
  const isPdf = ([file, text]: readonly [string, unknown]): boolean =>
    PDF_FILE.test(file) || (typeof text === 'string' && (PDF_PAGE.test(text) || PDF_UPLOAD.test(text)))
  return sources.some(isPdf) || PDF_UPLOAD.test(readText(join(folder, 'site.mjs')) ?? '')
}

/**
 * Loads a built site.
 * @param runtime the runtime's exports in this process: site and server must share its classes
 * @throws StartError when the bundle cannot run
 */
export async function loadSite(builtSite: BuiltSite, runtime: object): Promise<LoadedSite> {
  return inPlace(
    await loadEntry(pathToFileURL(join(builtSite.folder, 'site.mjs')).href, builtSite.root, runtime, false),
    builtSite,
  )
}

/** Adds the name and the kept releases of a build to a loaded site. */
export function inPlace(loadedSite: LoadedSite, { name, releases }: BuiltSite): LoadedSite {
  return {
    ...loadedSite,
    ...(name !== undefined && { name }),
    ...(releases !== undefined && { releases, keptAssets: new KeptAssets(releases) }),
  }
}

/**
 * Loads a site by the URL of its link module, which may contain a version (`?v=2`).
 * @throws StartError
 */
export async function loadEntry(url: string, root: string, runtime: object, live: boolean): Promise<LoadedSite> {
  const folder = dirname(fileURLToPath(new URL(url)))
  return createLoadedSite(await link(url, runtime), root, folder, live)
}

/**
 * Creates a loaded site from a linked one.
 * @param folder the folder of its modules, source maps and `sources.json`
 * @param findSourceMap returns the source maps of modules that were run separately, by their names in stacks
 * @throws StartError for a site of another format
 */
export function createLoadedSite(
  site: CompiledSite,
  root: string,
  folder: string,
  live: boolean,
  findSourceMap: (name: string) => SourceMapPayload | null = () => null,
): LoadedSite {
  if (site.abi !== ABI) {
    throw new StartError(
      `This site was built in format ${site.abi}, and this server reads format ${ABI}: build it again.`,
    )
  }
  let sources: Record<string, unknown> | null = null
  // Source maps name templates relative to the site's folder, even when the build is elsewhere.
  const mapped = live ? root : dirname(folder)
  return {
    site,
    root,
    folder,
    live,
    name: basename(root),
    locator: createSourceLocator(
      (file) => findSourceMap(file) ?? readMap(file, folder),
      (source, from) => templateName(source, mapped, from === null ? mapped : dirname(pathOfFile(from))),
    ),
    source(file) {
      sources ??= record(parseJson(readText(join(folder, 'sources.json')) ?? '{}'))
      const text = Object.hasOwn(sources, file) ? sources[file] : undefined
      if (typeof text === 'string') return text
      return live && TEMPLATE.test(file) && !file.split('/').includes('..') ? readText(join(root, file)) : null
    },
  }
}

async function link(url: string, runtime: object): Promise<CompiledSite> {
  try {
    const module = linkModule.parse(await import(url))
    return module.default(runtime)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new StartError(
      `The built site does not load (${reason}): build it again. If that does not help, it is a bug in Ingot.`,
    )
  }
}

const TEMPLATE = /^(?:app|marketplace_builder|public|private|modules\/[^/]+)\//

/**
 * Returns the site's name for a template that a source map or a stack names by a path or a file URL.
 * @param from folder that relative paths start from
 */
function templateName(source: string, root: string, from: string): string | null {
  if (TEMPLATE.test(source)) return source
  const name = relative(root, resolve(from, pathOfFile(source)))
    .split(sep)
    .join('/')
  return TEMPLATE.test(name) ? name : null
}

// Stacks contain the URL of a module with the version of its import.
function pathOfFile(file: string): string {
  const bareName = file.replace(/[?#].*$/, '')
  return bareName.startsWith('file:') ? fileURLToPath(bareName) : bareName
}

/** Returns the source map of an emitted module, from a separate file or inlined. Null for files outside of the bundle's folder. */
function readMap(file: string, folder: string): SourceMapPayload | null {
  const path = pathOfFile(file)
  if (!isAbsolute(path) || relative(folder, path).startsWith('..')) return null
  const text = readText(`${path}.map`)
  return text === null ? mapInside(readText(path) ?? '') : mapIn(text)
}

/** Returns the source map in a script; null without one. */
export function mapInside(code: string): SourceMapPayload | null {
  const text = inlineMap(code)
  return text === null ? null : mapIn(text)
}

/** A release has an index map, with a section for each module. */
const sourceMap = z.custom<SourceMapPayload>((value) => {
  const { mappings, sections } = record(value)
  return typeof mappings === 'string' || Array.isArray(sections)
})

function mapIn(text: string): SourceMapPayload | null {
  const parsed = sourceMap.safeParse(parseJson(text))
  return parsed.success ? parsed.data : null
}

function inlineMap(code: string): string | null {
  const prefix = '//# sourceMappingURL=data:application/json;'
  const prefixStart = code.lastIndexOf(prefix)
  if (prefixStart < 0) return null
  const encoded = /base64,([\w+/=]+)/.exec(code.slice(prefixStart + prefix.length))?.[1]
  return encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Parses JSON; null when it is invalid. Callers treat this like JSON of another shape. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads a file; null when it is missing or unreadable. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
