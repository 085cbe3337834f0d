/** Modules → `site.mjs`: one bundle that a host links with its runtime, and the files beside it. Replaces the old build when the new one is whole. */
import { randomBytes } from 'node:crypto'
import { writeFile as writeFileWithCallback } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { OutputFile } from 'esbuild'
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { printModule } from '../emit/emit.ts'
import { print } from '../emit/print.ts'
import { inlineMap, positionsOf, sourceMap } from '../emit/source-map.ts'
import { OPERATION_TYPES, typedOperations } from '../emit/operation.ts'
import type { Module } from '../../core/model/module.ts'
import type { Operations } from '../../core/model/operation.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { oneScope } from '../emit/one-scope.ts'
import type { PreparedAssets } from '../assets/prepare.ts'
import { withErrorPath } from '../../core/source/name-errors.ts'
import { writeAssets } from '../assets/write.ts'
import { BESIDE, listFiles, MANIFEST, manifestText } from './build-manifest.ts'
import { operationTypes } from './operation-types.ts'
import { errorCode } from '../../core/source/error-code.ts'

/** Takes half the time of the one that gives promises by itself, which counts where a site has thousands of modules. */
const writeQuickly = promisify(writeFileWithCallback)

function writeFile(path: string, contents: string | Uint8Array): Promise<void> {
  return withErrorPath(path, writeQuickly(path, contents))
}

export interface BundleInput {
  readonly modules: readonly Module[]
  readonly files: readonly SourceFile[]
  readonly operations: Operations
  /** Without them the site's own files are served. */
  readonly assets?: PreparedAssets | undefined
  /** Manifests of its modules, by path. */
  readonly manifests?: ReadonlyMap<string, string> | undefined
  /** Folder to write: `DIR/.ingot`. */
  readonly out: string
}

/** Name of the folder that builds are written to, unless another one is given. */
const BUILD_FOLDER = '.ingot'

/** What may stand in the folder of a build. */
const BUILD_FILES: readonly string[] = [
  '.gitignore',
  'manifest.json',
  'site.mjs',
  'site.mjs.map',
  'sources.json',
  'modules',
  'assets',
  'manifests',
  ...BESIDE,
]

/**
 * Whether a build may take the place of what lies at `out`: nothing, an empty folder, or an earlier build. The swap
 * removes what was there, so a folder that holds anything else must be left alone.
 * @throws Error of the file system, with its path, where `out` is no folder or cannot be read
 */
export async function replaceable(out: string): Promise<boolean> {
  const names = await readdir(out).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.some((name) => !BUILD_FILES.includes(name))) return false
  // A site's own folder may hold `modules` and nothing else, and any folder one named `assets`.
  return (
    !names.some((name) => name === 'modules' || name === 'assets' || name === '.gitignore') ||
    names.includes('site.mjs') ||
    names.includes('manifest.json')
  )
}

/** Writes the build; until it is whole the old one stays. @throws Error of the file system, with its path */
export async function bundle({ modules, files, operations, assets, manifests, out }: BundleInput): Promise<void> {
  // Through a link, so that what it leads to is replaced and the link stays; a folder that is not there yet is made.
  const target = await realpath(out).catch(() => resolve(out))
  await mkdir(dirname(target), { recursive: true })
  await removeLeftovers(target)
  // Beside the target, so that relative paths in the maps stay right when it is moved there.
  const next = `${unfinishedPrefix(target)}${process.pid}-${randomBytes(3).toString('hex')}`
  try {
    await mkdir(next, { recursive: true })
    // The bundler gets one text, while the modules are written for whoever wants to read them.
    const bundled = bundledText(oneText(modules, files), next).then((outputs) =>
      Promise.all(outputs.map(({ path, contents }) => writeFile(path, contents))),
    )
    // Both must have ended before anything is cleared away.
    const folder = join(next, 'modules')
    const ended = await Promise.allSettled([bundled, writeModules({ modules, files, operations, folder })])
    for (const each of ended) if (each.status === 'rejected') throw each.reason
    await finishBuild(next, { files, assets, manifests })
    // The folder in a site keeps itself out of git; what `--out` names is its owner's.
    if (basename(target) === BUILD_FOLDER) await writeFile(join(next, '.gitignore'), '*\n')
    await swap(next, target)
  } catch (error) {
    throw withPlace(error, next, target)
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

/** All modules in one scope, with their map. Its parts, which are as long as the whole, are not needed beyond this. */
function oneText(modules: readonly Module[], files: readonly SourceFile[]): string {
  const scope = [...oneScope(modules, '$runtime', 'typescript'), SITE_EXPORT]
  const text = scope.map((each) => each.text).join('\n')
  const map = sourceMap(scope, positionsOf(files), (file) => fromBuild('', file))
  return `${text}\n${inlineMap(map)}`
}

/** Writes what a build has beside its code, and at last its manifest. @throws Error of the file system, with its path */
export async function finishBuild(
  folder: string,
  { files, assets, manifests }: Pick<BundleInput, 'files' | 'assets' | 'manifests'>,
): Promise<void> {
  const texts = [...writtenTexts(files)].filter(([path, text]) => text !== '' && path.endsWith('.liquid'))
  await writeFile(join(folder, 'sources.json'), JSON.stringify(Object.fromEntries(texts)))
  if (assets !== undefined) await writeAssets(assets.files, join(folder, 'assets'))
  for (const [path, text] of manifests ?? []) {
    const file = join(folder, 'manifests', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await writeFile(join(folder, MANIFEST), manifestText(await listFiles(folder)))
}

/**
 * `site.mjs` and its map, of the TypeScript of all modules in one scope.
 * @param folder that they are to stand in: paths in the map start there
 */
export async function bundledText(contents: string, folder: string): Promise<readonly OutputFile[]> {
  const { build } = await loadPackage('esbuild', 'A build', () => import('esbuild'))
  const { outputFiles } = await build({
    stdin: { contents, sourcefile: join(folder, 'site.ts'), resolveDir: folder, loader: 'ts' },
    // A configuration that lies above the folder is somebody else's.
    tsconfigRaw: '{}',
    outfile: join(folder, 'site.mjs'),
    write: false,
    // What it writes names files from here on.
    absWorkingDir: folder,
    bundle: true,
    format: 'iife',
    globalName: '$bundle',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    // The server hands in its own runtime, so that both share its classes.
    banner: { js: 'export default function link($runtime) {' },
    footer: { js: 'return $bundle.site\n}' },
    logLevel: 'silent',
  })
  return outputFiles
}

/** The error of an unfinished build, about the files as they would stand in the finished one. */
function withPlace(error: unknown, unfinished: string, target: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return error
  const inside = relative(unfinished, error.path)
  return inside.startsWith('..') ? error : Object.assign(error, { path: join(target, inside.replace(/\.new$/, '')) })
}

async function swap(next: string, target: string): Promise<void> {
  const old = `${next}-old`
  await rename(target, old).catch(ignoreMissing)
  try {
    await rename(next, target)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') {
      // The error that is thrown says why the new build could not be put in place; one from putting the old build back would hide it.
      await rename(old, target).catch(() => undefined)
      throw error
    }
    // Another build was put there meanwhile. Ours began later or is as new, so it replaces that one.
    await rm(target, { recursive: true, force: true })
    await rename(next, target)
  }
  // What `ingot dev` is serving from is kept, and so is what checks have found.
  for (const folder of BESIDE) await rename(join(old, folder), join(target, folder)).catch(ignoreMissing)
  await rm(old, { recursive: true, force: true })
}

/** Removes what builds that were killed have left beside the target, and puts back the build that one had moved away. */
async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  const prefix = basename(unfinishedPrefix(target))
  for (const name of await readdir(folder)) {
    const rest = name.startsWith(prefix) ? /^(\d+)-[0-9a-f]{6}(-old)?$/.exec(name.slice(prefix.length)) : null
    if (rest === null || isRunning(Number(rest[1]))) continue
    const left = join(folder, name)
    // Succeeds only where nothing, or an empty folder, stands in the target's place.
    if (rest[2] !== undefined) await rename(left, target).catch(() => undefined)
    await rm(left, { recursive: true, force: true })
  }
}

/** How the names of unfinished builds begin. */
function unfinishedPrefix(target: string): string {
  return join(dirname(target), `.${basename(target).replace(/^\./, '')}-`)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/**
 * The modules as TypeScript, with maps down to the templates, and the types of the operations. They import our package, so that
 * they run wherever it is installed.
 */
export async function writeModules({
  modules,
  files,
  operations,
  folder,
}: Pick<BundleInput, 'modules' | 'files' | 'operations'> & { readonly folder: string }): Promise<void> {
  const positionAt = positionsOf(files)
  const folders = new Set(modules.map(({ path }) => dirname(join(folder, path))))
  await Promise.all([...folders].map((each) => mkdir(each, { recursive: true })))
  const textOf = (module: Module): string => {
    const printed = printModule(module)
    const named = (file: string) => fromBuild(posix.dirname(`modules/${module.path}`), file)
    const isMapped = printed.marks.some(({ span }) => span !== null)
    const map = isMapped ? inlineMap(sourceMap([printed], positionAt, named)) : ''
    return `${printed.text}\n${map}`
  }
  // Some at a time: of a large site all texts would be a tenth of the memory that its build takes.
  for (let at = 0; at < modules.length; at += 64) {
    const some = modules.slice(at, at + 64)
    await Promise.all(some.map((module) => writeFile(join(folder, module.path), textOf(module))))
  }
  const typed = typedOperations(operations)
  if (typed.length > 0) await writeFile(join(folder, OPERATION_TYPES), await operationTypes(typed))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

const SITE_EXPORT = print([{ kind: 'export', names: ['site'] }], 'typescript')

/**
 * A file of the site as the maps in a folder of the build name it: as from `.ingot` in the site's folder, wherever the build stands, so
 * that the same site has the same maps.
 */
function fromBuild(folder: string, file: string): string {
  return posix.relative(posix.join(BUILD_FOLDER, folder), file)
}
