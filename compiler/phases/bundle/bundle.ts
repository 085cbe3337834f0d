/**
 * Bundles modules into `site.mjs`, which a host links with its runtime, and writes the files of the build. The old build is replaced
 * atomically.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
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
import { KEPT_FOLDERS, listFiles, MANIFEST, formatManifest } from './build-manifest.ts'
import { operationTypes } from './operation-types.ts'
import { errorCode } from '../../core/source/error-code.ts'

/** Writes a file synchronously. While the bundler uses all processors, asynchronous calls take ten times as long for thousands of modules. */
function writeFile(path: string, contents: string | Uint8Array): Promise<void> {
  return withErrorPath(
    path,
    Promise.resolve().then(() => writeFileSync(path, contents)),
  )
}

interface BundleInput {
  readonly modules: readonly Module[]
  readonly files: readonly SourceFile[]
  readonly operations: Operations
  /** If absent, assets are served from the site's folder. */
  readonly assets?: PreparedAssets | undefined
  /** Manifests of the site's modules, by path. */
  readonly manifests?: ReadonlyMap<string, string> | undefined
  /** The folder to write: `DIR/.ingot`. */
  readonly out: string
  /** The old build is replaced after this. A rejection is not an error of the build. */
  readonly beforeReplacing?: Promise<unknown>
}

/** Default name of the build folder. */
const BUILD_FOLDER = '.ingot'

/** Names that a build folder may contain. */
const BUILD_FILES: readonly string[] = [
  '.gitignore',
  'manifest.json',
  'site.mjs',
  'site.mjs.map',
  'sources.json',
  'modules',
  'assets',
  'manifests',
  ...KEPT_FOLDERS,
]

/**
 * Returns true if a build may replace `out`: it does not exist, is empty, or contains an earlier build. The swap deletes the old folder, so
 * a folder with other files must not be touched.
 * @throws File-system error that names the path, if `out` is not a folder or cannot be read
 */
export async function isReplaceable(out: string): Promise<boolean> {
  const names = await readdir(out).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.some((name) => !BUILD_FILES.includes(name))) return false
  // A site's own folder may contain only `modules`, and any folder may contain `assets`.
  return (
    !names.some((name) => name === 'modules' || name === 'assets' || name === '.gitignore') ||
    names.includes('site.mjs') ||
    names.includes('manifest.json')
  )
}

/** Writes the build. The old build stays until the new one is complete. @throws File-system error that names the path */
export async function bundle({
  modules,
  files,
  operations,
  assets,
  manifests,
  out,
  beforeReplacing,
}: BundleInput): Promise<void> {
  // Follows a symbolic link, so that the target is replaced but not the link. A missing folder is created.
  const target = await realpath(out).catch(() => resolve(out))
  await mkdir(dirname(target), { recursive: true })
  await removeLeftovers(target)
  // The unfinished build is written beside the target, so that relative paths in source maps stay valid after the move.
  const unfinishedFolder = `${unfinishedPrefix(target)}${process.pid}-${randomBytes(3).toString('hex')}`
  try {
    await mkdir(unfinishedFolder, { recursive: true })
    // The bundler takes all modules as one text. They are also written as separate files, for people to read.
    const bundled = bundleText(concatenateModules(modules, files), unfinishedFolder).then((outputs) =>
      Promise.all(outputs.map(({ path, contents }) => writeFile(path, contents))),
    )
    // Both tasks must end before the folder is removed.
    const folder = join(unfinishedFolder, 'modules')
    const results = await Promise.allSettled([bundled, writeModules({ modules, files, operations, folder })])
    for (const each of results) if (each.status === 'rejected') throw each.reason
    await finishBuild(unfinishedFolder, { files, assets, manifests })
    // The build folder in a site is excluded from git. For a folder given with `--out`, users decide that themselves.
    if (basename(target) === BUILD_FOLDER) await writeFile(join(unfinishedFolder, '.gitignore'), '*\n')
    // The caller reports a rejection. The build is complete without it.
    await beforeReplacing?.catch(() => undefined)
    await swapFolders(unfinishedFolder, target)
  } catch (error) {
    throw moveErrorPath(error, unfinishedFolder, target)
  } finally {
    await rm(unfinishedFolder, { recursive: true, force: true })
  }
}

/**
 * Concatenates all modules in one scope, with a source map. This is a separate function, so that the parts can be garbage-collected after
 * it returns.
 */
function concatenateModules(modules: readonly Module[], files: readonly SourceFile[]): string {
  const scope = [...oneScope(modules, '$runtime', 'typescript'), SITE_EXPORT]
  const text = scope.map((each) => each.text).join('\n')
  const map = sourceMap(scope, positionsOf(files), (file) => mapSourcePath('', file))
  return `${text}\n${inlineMap(map)}`
}

/** Writes the other files of a build, the manifest last. @throws File-system error that names the path */
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
  await writeFile(join(folder, MANIFEST), formatManifest(await listFiles(folder)))
}

/**
 * Builds `site.mjs` and its source map from the TypeScript of all modules in one scope.
 * @param folder target folder; paths in the map are relative to it
 * @internal Exported for tests.
 */
export async function bundleText(contents: string, folder: string): Promise<readonly OutputFile[]> {
  const { build } = await loadPackage('esbuild', 'A build', () => import('esbuild'))
  const { outputFiles } = await build({
    stdin: { contents, sourcefile: join(folder, 'site.ts'), resolveDir: folder, loader: 'ts' },
    // Ignores a `tsconfig.json` in a parent folder, which belongs to another project.
    tsconfigRaw: '{}',
    outfile: join(folder, 'site.mjs'),
    write: false,
    // Written paths are relative to this folder.
    absWorkingDir: folder,
    bundle: true,
    format: 'iife',
    globalName: '$bundle',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    // The server passes its own runtime, so that both share its classes.
    banner: { js: 'export default function link($runtime) {' },
    footer: { js: 'return $bundle.site\n}' },
    logLevel: 'silent',
  })
  return outputFiles
}

/** Rewrites the paths in the error of an unfinished build to the target folder. */
function moveErrorPath(error: unknown, unfinished: string, target: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return error
  const inside = relative(unfinished, error.path)
  return inside.startsWith('..') ? error : Object.assign(error, { path: join(target, inside.replace(/\.new$/, '')) })
}

async function swapFolders(unfinishedFolder: string, target: string): Promise<void> {
  const oldFolder = `${unfinishedFolder}-old`
  await rename(target, oldFolder).catch(ignoreMissing)
  try {
    await rename(unfinishedFolder, target)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') {
      // The thrown error explains why the new build could not be moved. An error from restoring the old build would hide it.
      await rename(oldFolder, target).catch(() => undefined)
      throw error
    }
    // Another build was written in the meantime. This build is at least as new, so it replaces the other one.
    await rm(target, { recursive: true, force: true })
    await rename(unfinishedFolder, target)
  }
  // The build of `ingot dev` and the cache are kept, unless another process has already begun new ones.
  for (const folder of KEPT_FOLDERS)
    await rename(join(oldFolder, folder), join(target, folder)).catch((error: unknown) => {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
    })
  await rm(oldFolder, { recursive: true, force: true })
}

/** Removes leftovers of killed builds, and restores a build that one of them had moved away. */
async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  const prefix = basename(unfinishedPrefix(target))
  for (const name of await readdir(folder)) {
    const match = name.startsWith(prefix) ? /^(\d+)-[0-9a-f]{6}(-old)?$/.exec(name.slice(prefix.length)) : null
    if (match === null || isRunning(Number(match[1]))) continue
    const leftover = join(folder, name)
    // The rename succeeds only if the target does not exist or is an empty folder.
    if (match[2] !== undefined) await rename(leftover, target).catch(() => undefined)
    await rm(leftover, { recursive: true, force: true })
  }
}

/** Returns the prefix of unfinished build folders. */
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
 * Writes the modules as TypeScript, with source maps to the templates, and the types of the operations. They import the `ingot` package,
 * so that they run wherever it is installed.
 */
async function writeModules({
  modules,
  files,
  operations,
  folder,
}: Pick<BundleInput, 'modules' | 'files' | 'operations'> & { readonly folder: string }): Promise<void> {
  const positionAt = positionsOf(files)
  const folders = new Set(modules.map(({ path }) => dirname(join(folder, path))))
  await Promise.all([...folders].map((each) => mkdir(each, { recursive: true })))
  const writeModule = async (module: Module): Promise<void> => {
    const printedModule = printModule(module)
    const path = join(folder, module.path)
    const mapPath = (file: string) => mapSourcePath(posix.dirname(`modules/${module.path}`), file)
    const isMapped = printedModule.marks.some(({ span }) => span !== null)
    const comment = isMapped ? `//# sourceMappingURL=${posix.basename(module.path)}.map\n` : ''
    await writeFile(path, `${printedModule.text}\n${comment}`)
    if (isMapped) await writeFile(`${path}.map`, sourceMap([printedModule], positionAt, mapPath))
  }
  // Writes in batches. All texts of a large site would take a tenth of the build's memory.
  for (let at = 0; at < modules.length; at += 64) {
    const batch = modules.slice(at, at + 64)
    await Promise.all(batch.map(writeModule))
  }
  const operationsWithTypes = typedOperations(operations)
  if (operationsWithTypes.length > 0)
    await writeFile(join(folder, OPERATION_TYPES), await operationTypes(operationsWithTypes))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

const SITE_EXPORT = print([{ kind: 'export', names: ['site'] }], 'typescript')

/**
 * Returns the path of a site file for source maps. It is always relative to `.ingot` in the site's folder, so that maps are reproducible.
 */
function mapSourcePath(folder: string, file: string): string {
  return posix.relative(posix.join(BUILD_FOLDER, folder), file)
}
