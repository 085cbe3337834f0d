// The programs of the product, as scripts: the engine keeps compiled scripts between processes, which it does for no ES module in the
// oldest Node that we run on (`load-program.mjs`). A program that is started often is one script of all that it needs at its start;
// what it loads later, and what the others need, is a script for each part.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder in dist/. */
const FOLDER = 'programs'

/** A module of the same build, as esbuild writes it. */
const SIBLING = /^\.\/([\w-]+)\.mjs$/
/** What a script is given in the place of `import`. `$$` is a `$` in what replaces a text. */
const LOADER = '$$import'
/** `import()` where code calls it, and not a text that holds code. A script has none of its own: the engine forgets with its kept code where to look. */
const LATER = /(?<=(?:\bawait|\breturn|=>|[([,?=])\s*)\bimport\(/g

/**
 * @typedef {object} Part one of esbuild's modules: an entry, or what several share
 * @property {string} text
 * @property {readonly string[]} exports
 * @property {readonly string[]} needs names of those that it imports
 * @property {readonly string[]} later names of those that it loads by `import()`
 */

/**
 * Bundles them.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {import('esbuild').BuildOptions} made.options of all bundles for Node
 * @param {Readonly<Record<string, string>>} made.programs sources by names
 * @param {Readonly<Record<string, readonly string[]>>} made.quick names of those that are started often, or waited for, with the sources that
 *   they mostly load by `import()` later: those are one script more, with all that they need
 * @param {string} made.next the folder that becomes dist/
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function addPrograms({ bundle, options, programs, quick, next }) {
  const folder = join(next, FOLDER)
  mkdirSync(folder)
  /** @type {import('esbuild').BuildOptions & { write: false, metafile: true }} */
  const asked = {
    ...options,
    entryPoints: programs,
    outdir: folder,
    splitting: true,
    format: 'esm',
    // The GraphQL library looks otherwise at every type that it is asked about for a second copy of itself.
    define: { 'import.meta.url': '$url', 'process.env.NODE_ENV': '"production"' },
    // The second step reads the map of the first.
    sourcemap: options.sourcemap === true ? 'inline' : false,
    write: false,
    metafile: true,
  }
  const { outputFiles, metafile } = await bundle(asked)
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]))
  const parts = new Map(
    Object.entries(metafile.outputs).map(([path, { exports, imports }]) => [
      nameOf(path),
      partOf(texts.get(nameOf(path)) ?? '', exports, imports),
    ]),
  )
  const names = Object.keys(programs)
  const partOfSource = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint ?? '', nameOf(path)]),
  )
  const starts = new Map(names.map((name) => [name, name in quick ? withNeeds(parts, name) : new Set([name])]))
  /** @type {Map<string, ReadonlySet<string>>} what a program mostly loads later, without what it has from its start */
  const seconds = new Map()
  for (const [name, start] of starts) {
    const needs = (quick[name] ?? []).map((source) => {
      const part = partOfSource.get(source)
      if (part === undefined) throw new Error(`No program loads '${source}' by import().`)
      return withNeeds(parts, part)
    })
    const second = needs.flatMap((need) => [...need]).filter((part) => !start.has(part))
    if (second.length > 0) seconds.set(name, new Set(second))
  }
  /** @type {Map<string, string>} */
  const digests = new Map()
  const write = async (/** @type {string} */ name, /** @type {ReadonlySet<string>} */ inside) => {
    const text = await scriptOf({ bundle, options, parts, folder, name, inside })
    digests.set(name, createHash('sha256').update(text).digest('hex').slice(0, 12))
  }
  for (const [name, inside] of starts) await write(name, inside)
  for (const [name, inside] of seconds) await write(secondOf(name), inside)
  const later = new Set(
    [...starts].flatMap(([name, start]) => loadedLater(parts, new Set([...start, ...(seconds.get(name) ?? [])]))),
  )
  for (const name of later) await write(name, new Set([name]))
  for (const name of names) {
    const second = [...(seconds.get(name) ?? [])].map((part) => /** @type {const} */ ([part, secondOf(name)]))
    writeFileSync(join(next, `${name}.mjs`), entryOf(name, parts.get(name)?.exports ?? [], Object.fromEntries(second)))
  }
  const table = Object.fromEntries([...digests].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(folder, 'digests.json'), JSON.stringify(table))
  copyFileSync(fileURLToPath(new URL('load-program.mjs', import.meta.url)), join(next, 'load-program.mjs'))
  return metafile
}

/** The script of what a program mostly loads later. @param {string} program */
const secondOf = (program) => `${program}-later`

/** @param {string} path */
const nameOf = (path) => basename(path, '.mjs')

/**
 * @param {string} text
 * @param {readonly string[]} exports
 * @param {import('esbuild').Metafile['outputs'][string]['imports']} imports
 * @returns {Part}
 */
function partOf(text, exports, imports) {
  const own = imports.filter(({ external }) => external !== true)
  const of = (/** @type {string} */ kind) => own.filter((one) => one.kind === kind).map(({ path }) => nameOf(path))
  return { text, exports, needs: of('import-statement'), later: of('dynamic-import') }
}

/**
 * A part, and all that it imports.
 * @param {ReadonlyMap<string, Part>} parts
 * @param {string} entry
 * @returns {ReadonlySet<string>}
 */
function withNeeds(parts, entry) {
  const all = new Set([entry])
  for (const name of all) for (const need of parts.get(name)?.needs ?? []) all.add(need)
  return all
}

/**
 * Names of the parts that a program may load after its start, which are not in its script.
 * @param {ReadonlyMap<string, Part>} parts
 * @param {ReadonlySet<string>} start those that are
 */
function loadedLater(parts, start) {
  const reached = new Set(start)
  for (const name of reached) {
    const part = parts.get(name)
    for (const next of [...(part?.needs ?? []), ...(part?.later ?? [])]) reached.add(next)
  }
  return [...reached].filter((name) => !start.has(name))
}

/**
 * Writes a script of some parts. Its exports: `entry`, those of the part that it is called by, and `parts`, those of all parts, for
 * what is loaded later.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {import('esbuild').BuildOptions} made.options
 * @param {ReadonlyMap<string, Part>} made.parts
 * @param {string} made.folder
 * @param {string} made.name
 * @param {ReadonlySet<string>} made.inside names of the parts that it consists of; it asks for the others
 * @returns {Promise<string>} its text
 */
async function scriptOf({ bundle, options, parts, folder, name, inside }) {
  const imported = [...inside].map((one, at) => `import * as $${at} from "./${one}.mjs"`)
  const named = [...inside].map((one, at) => `"./${one}.mjs": $${at}`)
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const asked = {
    stdin: { contents: `${imported.join('\n')}\nexport const parts = { ${named.join(', ')} }`, resolveDir: folder },
    outfile: join(folder, `${name}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: options.target ?? 'esnext',
    sourcemap: options.sourcemap ?? false,
    sourcesContent: false,
    minifyWhitespace: options.minifyWhitespace ?? false,
    ...(options.lineLimit === undefined ? {} : { lineLimit: options.lineLimit }),
    // The licences of what is bundled stand in a file of their own.
    legalComments: 'none',
    logLevel: 'error',
    write: false,
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /./ }, ({ path, kind }) => {
            const [, part] = SIBLING.exec(path) ?? []
            const isInside = part !== undefined && kind === 'import-statement' && inside.has(part)
            return isInside ? { path: join(folder, `${part}.mjs`) } : { path, external: true }
          })
          build.onLoad({ filter: /./ }, ({ path }) => ({ contents: parts.get(nameOf(path))?.text ?? '' }))
        },
      },
    ],
  }
  const { outputFiles } = await bundle(asked)
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const script = join(folder, `${name}.cjs`)
  const text = inAscii(texts.get(script) ?? '').replaceAll(LATER, `${LOADER}(`)
  for (const [path, map] of texts) if (path !== script) writeFileSync(path, map)
  writeFileSync(script, text)
  return text
}

/**
 * A text that is read byte for byte, which takes no time. Of esbuild's, only comments and regular expressions hold other characters.
 * @param {string} text
 */
function inAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The module that is imported as the program.
 * @param {string} name
 * @param {readonly string[]} exports
 * @param {Readonly<Record<string, string>>} homes scripts of parts that have none of their own in this program
 */
function entryOf(name, exports, homes) {
  const call = `loadProgram('${name}', ${JSON.stringify(homes)})`
  const load = `import { loadProgram } from './load-program.mjs'\n`
  if (exports.length === 0) return `${load}${call}\n`
  return `${load}export const { ${exports.join(', ')} } = ${call}\n`
}
