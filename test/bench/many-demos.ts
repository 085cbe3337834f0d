/** Builds a site from many copies of the demo site. Each copy has its own names of pages, partials, queries, forms and tables. */
import { fileURLToPath } from 'node:url'
import { discover } from '../../compiler/core/source/discover.ts'
import type { FileKind, SourceFile } from '../../compiler/core/source/file.ts'
import { filesFromTexts } from '../../compiler/core/source/from-texts.ts'

const DEMO = fileURLToPath(new URL('../../fixtures/sites/marketplace', import.meta.url))

/** The kinds of files that are copied, with their folders. All other files are shared by the copies. */
const COPIED: ReadonlyMap<FileKind, RegExp> = new Map([
  ['page', /^app\/views\/pages\//],
  ['partial', /^app\/(?:views\/partials|lib)\//],
  ['graphql', /^app\/graphql\//],
  ['form', /^app\/forms\//],
])

/** Returns a site with at least the given number of Liquid files. */
export async function manyDemos(liquidFiles: number): Promise<readonly SourceFile[]> {
  const { files } = await discover(DEMO)
  const own = files.filter(({ path, kind }) => COPIED.get(kind)?.test(path) === true)
  const names = new Set(own.filter(({ kind }) => kind !== 'page').map(({ name }) => name))
  const isLiquid = ({ path }: SourceFile): boolean => path.endsWith('.liquid')
  const copies = Math.ceil((liquidFiles - files.filter(isLiquid).length) / own.filter(isLiquid).length)
  const made = Array.from({ length: copies }, (_, at) => own.map((file) => copyOf(file, `copy_${at}`, names))).flat()
  return [...files, ...filesFromTexts(Object.fromEntries(made), false)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function copyOf(file: SourceFile, copy: string, names: ReadonlySet<string>): readonly [string, string] {
  const folder = COPIED.get(file.kind)?.exec(file.path)?.[0] ?? ''
  const path = `${folder}${copy}/${file.path.slice(folder.length)}`
  if (file.kind === 'graphql') return [path, file.text]
  const text = file.text
    .replace(/(?<=^slug: )(?=\S)/m, `${copy}/`)
    .replace(/(['"])([\w/-]+)\1/g, (whole, quote: string, name: string) =>
      names.has(name) ? `${quote}${copy}/${name}${quote}` : whole,
    )
  const named = file.kind === 'form' ? text.replace(/(?<=^name: )(?=\S)/m, `${copy}/`) : text
  return [path, named]
}
