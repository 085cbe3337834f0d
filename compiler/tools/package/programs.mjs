// Builds the programs of the product as classic scripts, because V8's code cache does not work for ES modules in the oldest supported Node
// (`load-program.mjs`). A frequently started program is one script with everything it needs at startup. Code that is loaded later, and the
// other programs, are one script per part.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder in dist/. */
const FOLDER = 'programs'

/** A module of the same build, as esbuild writes it. */
const SIBLING = /^\.\/([\w-]+)\.mjs$/
/** The name of the function that replaces `import()` in scripts (`$import`). In a replacement text, `$$` means `$`. */
const LOADER = '$$import'
/**
 * Matches `import()` calls in code but not in texts. Scripts cannot use `import()` themselves, because cached code loses its import
 * callback.
 */
const LATER = /(?<=(?:\bawait|\breturn|=>|[([,?=])\s*)\bimport\(/g

/**
 * @typedef {object} Part an output module of esbuild: an entry or a shared chunk
 * @property {string} text
 * @property {readonly string[]} exports
 * @property {readonly string[]} needs names of the parts it imports
 * @property {readonly string[]} later names of the parts it loads by `import()`
 */

/**
 * Builds the programs.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {import('esbuild').BuildOptions} made.options of all bundles for Node
 * @param {Readonly<Record<string, string>>} made.programs sources by name
 * @param {Readonly<Record<string, readonly string[]>>} made.quick names of programs that are started often or must start fast, each with
 * the sources that it usually loads by `import()`; these and all that they need become a second script
 * @param {string} made.next the folder that becomes dist/
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function addPrograms({ bundle, options, programs, quick, next }) {
  const folder = join(next, FOLDER)
  mkdirSync(folder)
  /** @type {import('esbuild').BuildOptions & { write: false, metafile: true }} */
  const buildOptions = {
    ...options,
    entryPoints: programs,
    outdir: folder,
    splitting: true,
    format: 'esm',
    // Outside of production the GraphQL library checks every type for a second copy of the library.
    define: {
      'import.meta.url': '$url',
      'process.env.NODE_ENV': '"production"',
      // As in Node 21 and later. Without it, the package pg loads Node's `fetch` at every start, to find out where it runs.
      navigator: '{"userAgent":"Node.js"}',
    },
    // The second step reads the source map of the first.
    sourcemap: options.sourcemap === true ? 'inline' : false,
    write: false,
    metafile: true,
  }
  const { outputFiles, metafile } = await bundle(buildOptions)
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
  /** @type {Map<string, ReadonlySet<string>>} the parts a program usually loads later, without those of its startup script */
  const laterParts = new Map()
  for (const [name, start] of starts) {
    const needs = (quick[name] ?? []).map((source) => {
      const part = partOfSource.get(source)
      if (part === undefined) throw new Error(`No program loads '${source}' by import().`)
      return withNeeds(parts, part)
    })
    const second = needs.flatMap((need) => [...need]).filter((part) => !start.has(part))
    if (second.length > 0) laterParts.set(name, new Set(second))
  }
  /** @type {Map<string, string>} */
  const digests = new Map()
  const write = async (/** @type {string} */ name, /** @type {ReadonlySet<string>} */ inside) => {
    const text = await scriptOf({ bundle, options, parts, folder, name, inside })
    digests.set(name, createHash('sha256').update(text).digest('hex').slice(0, 12))
  }
  for (const [name, inside] of starts) await write(name, inside)
  for (const [name, inside] of laterParts) await write(laterScriptName(name), inside)
  const later = new Set(
    [...starts].flatMap(([name, start]) => loadedLater(parts, new Set([...start, ...(laterParts.get(name) ?? [])]))),
  )
  for (const name of later) await write(name, new Set([name]))
  for (const name of names) {
    const second = [...(laterParts.get(name) ?? [])].map((part) => /** @type {const} */ ([part, laterScriptName(name)]))
    writeFileSync(join(next, `${name}.mjs`), entryOf(name, parts.get(name)?.exports ?? [], Object.fromEntries(second)))
  }
  const table = Object.fromEntries([...digests].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(folder, 'digests.json'), JSON.stringify(table))
  const loader = fileURLToPath(new URL('load-program.mjs', import.meta.url))
  await bundle({
    entryPoints: [loader],
    outfile: join(next, 'load-program.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return metafile
}

/** Returns the name of the script with the parts that a program usually loads later. @param {string} program */
const laterScriptName = (program) => `${program}-later`

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
  const namesOfKind = (/** @type {string} */ kind) =>
    own.filter((one) => one.kind === kind).map(({ path }) => nameOf(path))
  return { text, exports, needs: namesOfKind('import-statement'), later: namesOfKind('dynamic-import') }
}

/**
 * Returns a part and all parts that it imports.
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
 * Returns the parts that a program may load after its start and that are not in its script.
 * @param {ReadonlyMap<string, Part>} parts
 * @param {ReadonlySet<string>} start parts of its script
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
 * Writes a script with several parts. It exports `entry`, the exports of its main part, and `parts`, the exports of all parts, for later
 * loads.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {import('esbuild').BuildOptions} made.options
 * @param {ReadonlyMap<string, Part>} made.parts
 * @param {string} made.folder
 * @param {string} made.name
 * @param {ReadonlySet<string>} made.inside names of its parts; others are imported
 * @returns {Promise<string>} its text
 */
async function scriptOf({ bundle, options, parts, folder, name, inside }) {
  const imported = [...inside].map((one, at) => `import * as $${at} from "./${one}.mjs"`)
  const named = [...inside].map((one, at) => `"./${one}.mjs": $${at}`)
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const buildOptions = {
    stdin: { contents: `${imported.join('\n')}\nexport const parts = { ${named.join(', ')} }`, resolveDir: folder },
    outfile: join(folder, `${name}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: options.target ?? 'esnext',
    sourcemap: options.sourcemap ?? false,
    sourcesContent: false,
    minifyWhitespace: options.minifyWhitespace ?? false,
    // Only here: with code splitting, esbuild inlines exported constants and omits their imports, but still refers to them in namespaces.
    minifySyntax: options.minifyWhitespace ?? false,
    // Longer lines than in the library: they take less space, and programs catch their errors.
    ...(options.lineLimit === undefined ? {} : { lineLimit: 500 }),
    // The licenses of bundled code are in a separate file.
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
  const { outputFiles } = await bundle(buildOptions)
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const script = join(folder, `${name}.cjs`)
  const text = escapeNonAscii(texts.get(script) ?? '').replaceAll(LATER, `${LOADER}(`)
  for (const [path, map] of texts) if (path !== script) writeFileSync(path, map)
  writeFileSync(script, text)
  return text
}

/**
 * Escapes non-ASCII characters, so that the file can be read as Latin-1, which is faster. In esbuild's output only comments and regular
 * expressions contain them.
 * @param {string} text
 */
function escapeNonAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Returns the ES module that imports the program.
 * @param {string} name
 * @param {readonly string[]} exports
 * @param {Readonly<Record<string, string>>} homes the script of each part that has no separate script in this program
 */
function entryOf(name, exports, homes) {
  const call = `loadProgram('${name}', ${JSON.stringify(homes)})`
  const load = `import { loadProgram } from './load-program.mjs'\n`
  if (exports.length === 0) return `${load}${call}\n`
  return `${load}export const { ${exports.join(', ')} } = ${call}\n`
}
