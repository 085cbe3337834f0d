/** Modules → `site.mjs`: one bundle that a host links with its runtime, and the files beside it. Replaces the old build when the new one is whole. */
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { ABI } from '../../runtime/site.ts'
import { moduleText } from '../emit/emit.ts'
import { MANIFEST, VERSION } from '../emit/manifest.ts'
import { inlineMap, sourceMap } from '../emit/source-map.ts'
import type { Module } from '../model/module.ts'
import type { SourceFile } from '../source/file.ts'

export interface BundleInput {
  readonly modules: readonly Module[]
  readonly files: readonly SourceFile[]
  /** The site's folder. */
  readonly root: string
  /** Folder to write: `DIR/.ingot`. */
  readonly out: string
}

/** Writes the build; until it is whole the old one stays. @throws Error of the file system, with its path */
export async function bundle({ modules, files, root, out }: BundleInput): Promise<void> {
  const target = resolve(out)
  await mkdir(dirname(target), { recursive: true })
  // Beside the target, so that relative paths in the maps stay right when it is moved there.
  const next = join(
    dirname(target),
    `.${basename(target).replace(/^\./, '')}-${process.pid}-${randomBytes(3).toString('hex')}`,
  )
  try {
    await writeModules(modules, files, root, join(next, 'modules'))
    await build({
      entryPoints: [join(next, 'modules', MANIFEST)],
      outfile: join(next, 'site.mjs'),
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
    const texts = Object.fromEntries(
      files.filter((file) => file.text !== '' && file.path.endsWith('.liquid')).map((file) => [file.path, file.text]),
    )
    await writeFile(join(next, 'sources.json'), JSON.stringify(texts))
    await writeFile(
      join(next, 'manifest.json'),
      JSON.stringify({ abi: ABI, builtBy: VERSION, createdAt: new Date().toISOString() }),
    )
    const old = `${next}-old`
    await rename(target, old).catch(ignoreMissing)
    await rename(next, target)
    await rm(old, { recursive: true, force: true })
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** The modules as TypeScript, with maps down to the templates, and the part of the runtime that they import. */
export async function writeModules(
  modules: readonly Module[],
  files: readonly SourceFile[],
  root: string,
  folder: string,
): Promise<void> {
  const texts = new Map(files.map((file) => [file.path, file.text]))
  const folders = new Set<string>()
  const outputs: [string, string][] = []
  const runtime = new Set<string>()
  const filters = new Map<string, { name: string; registered: string }>()
  for (const module of modules) {
    const path = join(folder, module.path)
    const { text, offset } = moduleText(module)
    const map =
      module.marks.length === 0
        ? ''
        : inlineMap(
            sourceMap(
              [{ module, line: offset }],
              (file) => posix(relative(dirname(path), join(resolve(root), file))),
              (file) => texts.get(file) ?? '',
            ),
          )
    folders.add(dirname(path))
    outputs.push([path, text + map])
    for (const { from, names, filter } of module.imports) {
      if (from === '#runtime') for (const name of names) runtime.add(name)
      else if (filter !== undefined)
        filters.set(from.slice('#runtime/'.length), { name: names[0] as string, registered: filter })
    }
  }
  outputs.push([
    join(folder, 'package.json'),
    JSON.stringify({
      type: 'module',
      imports: { '#runtime': './runtime/index.js', '#runtime/filters/*': './runtime/filters/*' },
    }),
  ])
  outputs.push([
    join(folder, 'runtime/index.js'),
    [...runtime]
      .sort()
      .map((name) => `export const ${name} = $runtime.${name}\n`)
      .join(''),
  ])
  folders.add(join(folder, 'runtime'))
  for (const [path, { name, registered }] of filters) {
    folders.add(dirname(join(folder, 'runtime', path)))
    outputs.push([join(folder, 'runtime', path), `export const ${name} = $runtime.filters.${registered}.${name}\n`])
  }
  await Promise.all([...folders].map((each) => mkdir(each, { recursive: true })))
  for (let at = 0; at < outputs.length; at += 64) {
    await Promise.all(outputs.slice(at, at + 64).map(([path, text]) => writeFile(path, text)))
  }
}

function posix(path: string): string {
  return path.split(sep).join('/')
}
