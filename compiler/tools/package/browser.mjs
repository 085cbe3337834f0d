// Builds the bundles for browsers: `ingot` as one file, and `ingot/runtime` and the filters as files with shared chunks. Modules that need
// Node are omitted or replaced.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder in dist/. */
export const FOLDER = 'browser'

/** The registries of filters, with one line per filter. */
const REGISTRIES = /runtime[\\/]page[\\/]filters[\\/](?:index|names\.generated)\.ts$/

/** Files with texts and examples for the reference. */
const FILES_WITH_EXAMPLES =
  /compiler[\\/](?:core[\\/]diagnostics[\\/]codes|language[\\/](?:tags|settings)|phases[\\/]check[\\/]rules)[\\/].*\.ts$/

/** Packages that would be bundled in several versions, or as both ES module and CommonJS. The project's own version is used. */
const SINGLE_VERSION_PACKAGES = /^(?:htmlparser2|dom-serializer|domelementtype|domhandler|domutils)(?:\/|$)/

/** Parts of packages that the product never uses: JSON schemas, feeds, trees as text, and grammar checks, which only a test runs. */
const UNUSED_MODULES =
  /node_modules[\\/](?:zod[\\/]v4[\\/].*(?:json-schema(?:-processors|-generator)?|from-json-schema)|domutils[\\/]lib[\\/]esm[\\/](?:feeds|helpers|legacy|manipulation|querying)|dom-serializer[\\/]lib[\\/]esm[\\/]index|chevrotain[\\/]lib[\\/]src[\\/]parse[\\/](?:grammar[\\/]checks|cst[\\/]cst_visitor))\.js$/

/** Packages that only unused code needs in browsers: omitted filters, and styles, which the sanitizer removes. */
const OMITTED_PACKAGES = /^(?:dayjs|libphonenumber-js\/max|postcss|re2js)$/

/** The patterns for RE2, which is an omitted package. */
const LINEAR_PATTERNS = /^\.\/linear\.ts$/

/**
 * Builds the bundles.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {string} made.root the project's folder
 * @param {string} made.next the folder that becomes dist/
 * @returns {Promise<readonly import('esbuild').Metafile[]>}
 */
export async function addBrowserBundles({ bundle, root, next }) {
  const missingFilters = await serverFilters(bundle, root)
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const options = {
    absWorkingDir: root,
    outdir: join(next, FOLDER),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    preserveSymlinks: true,
    inject: [join(root, 'runtime/page/browser/buffer.ts')],
    plugins: [withoutNode(root, missingFilters)],
    metafile: true,
    logLevel: 'error',
  }
  const made = [
    await bundle({ ...options, entryPoints: { ingot: 'compiler/tools/engine-in-browsers.ts' } }),
    await bundle({
      ...options,
      splitting: true,
      entryPoints: { runtime: 'runtime/index.ts', filters: 'runtime/page/filters/names.generated.ts' },
      plugins: [smallRuntime, withoutNode(root, missingFilters)],
    }),
  ]
  return made.map(({ metafile }) => metafile)
}

/**
 * Returns the names of the filters that browsers lack.
 * @param {typeof import('esbuild').build} bundle
 * @param {string} root
 */
async function serverFilters(bundle, root) {
  /** @type {{ SERVER_FILTERS: readonly string[] }} */
  const { SERVER_FILTERS } = await moduleOf(bundle, join(root, 'runtime/page/browser/server-filters.ts'))
  return SERVER_FILTERS
}

/**
 * Returns the exports of a module without imports.
 * @param {typeof import('esbuild').build} bundle
 * @param {string} path
 */
async function moduleOf(bundle, path) {
  const { outputFiles } = await bundle({ entryPoints: [path], write: false, format: 'esm', platform: 'neutral' })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`esbuild returned no output for '${path}'`)
  return import(`data:text/javascript;base64,${Buffer.from(file.contents).toString('base64')}`)
}

/**
 * Omits parts of the runtime that few compiled modules use: filters are imported by name, and the sanitizer is half of the size.
 * @type {import('esbuild').Plugin}
 */
const smallRuntime = {
  name: 'small-runtime',
  setup(build) {
    build.onLoad({ filter: /runtime[\\/]index\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^export \* as filters .*\n/m, '')
        .replace('./page/filters/web/clean.ts', './page/browser/clean.ts'),
      loader: 'ts',
    }))
  },
}

/**
 * @param {string} root
 * @param {readonly string[]} missingFilters names of filters
 * @returns {import('esbuild').Plugin}
 */
function withoutNode(root, missingFilters) {
  return {
    name: 'without-node',
    setup(build) {
      build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: join(root, 'runtime/page/browser/crypto.ts') }))
      build.onResolve({ filter: LINEAR_PATTERNS }, () => ({ path: join(root, 'runtime/page/browser/linear.ts') }))
      build.onResolve({ filter: OMITTED_PACKAGES }, ({ path }) => ({ path, namespace: 'absent' }))
      build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
        contents: `const fail = () => { throw new Error(${JSON.stringify(`'${path}' is not in browsers`)}) }
module.exports = new Proxy(fail, { get: () => fail })`,
      }))
      build.onResolve({ filter: SINGLE_VERSION_PACKAGES }, ({ path, pluginData, importer, resolveDir }) =>
        pluginData === 'once'
          ? null
          : build.resolve(path, {
              kind: 'import-statement',
              importer,
              // Uses the version of this package that the sanitizer requires.
              resolveDir: path.startsWith('htmlparser2') ? join(root, 'node_modules/sanitize-html') : resolveDir,
              pluginData: 'once',
            }),
      )
      // Uses the newest version of `entities`, because its tables are the smallest.
      build.onResolve({ filter: /^entities(?:\/|$)/ }, ({ path }) => ({ path, namespace: 'entities' }))
      build.onLoad({ filter: /.*/, namespace: 'entities' }, ({ path }) => ({
        contents: `export * from './dist/${path === 'entities' ? 'index' : 'decode'}.js'\nexport const fromCodePoint = String.fromCodePoint`,
        resolveDir: join(root, 'node_modules/markdown-it/node_modules/entities'),
      }))
      build.onLoad({ filter: UNUSED_MODULES }, ({ path }) => ({ contents: throwingModule(path) }))
      build.onLoad({ filter: REGISTRIES }, ({ path }) => ({
        contents: registryWithout(path, missingFilters),
        loader: 'ts',
      }))
      build.onLoad({ filter: FILES_WITH_EXAMPLES }, ({ path }) => ({ contents: withoutReference(path), loader: 'ts' }))
    },
  }
}

/**
 * Returns a registry without the lines of the given filters.
 * @param {string} path
 * @param {readonly string[]} missingFilters
 */
function registryWithout(path, missingFilters) {
  const lines = readFileSync(path, 'utf8').split('\n')
  const names = new Set(missingFilters)
  const nameIn = (/** @type {string} */ line) => /^export (?:\* as|\{) (\w+)/.exec(line)?.[1] ?? ''
  const knownNames = new Set(lines.map(nameIn))
  const unknown = missingFilters.find((name) => !knownNames.has(name))
  if (unknown !== undefined) throw new Error(`'${unknown}' should be omitted from '${path}', which has no such filter`)
  const kept = lines.filter((line) => !names.has(nameIn(line)))
  // The lookup table keeps all names, because code emitted with a checker error refers to them.
  if (path.endsWith('index.ts')) {
    const needsServer = "import { NEEDS_SERVER } from '../browser/needs-server.ts'"
    kept.push(needsServer, ...missingFilters.map((name) => `export const ${name} = NEEDS_SERVER`))
  }
  return kept.join('\n')
}

/** Returns a module with the same exports, which throw when called. @param {string} path */
function throwingModule(path) {
  const text = readFileSync(path, 'utf8')
  const declared = [...text.matchAll(/^export (?:const|let|function\*?|class|async function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(
    ([, names = '']) => names.match(/\w+(?=\s*(?:,|$))/g) ?? [],
  )
  const fail = `const fail = () => { throw new Error('this part of a package is not in browsers') }\n`
  const byDefault = /^export default /m.test(text) ? ['default'] : []
  return (
    fail + [...new Set([...declared, ...listed, ...byDefault])].map((name) => `export { fail as ${name} }\n`).join('')
  )
}

/** Empties the reference texts in a file of a diagnostic, a tag or a configuration. @param {string} path */
function withoutReference(path) {
  return readFileSync(path, 'utf8')
    .replace(/^ {2}\{\n {4}(?:wrong|right):\s[\s\S]*?^ {2}\},\n(?=\)$)/m, '  {},\n')
    .replace(/^ {2}(?:file|query)Examples\((?:\n[\s\S]*?^ {2}|.*)\),\n(?=\)$)/m, '  {},\n')
    .replaceAll(/^ {2}docs: \{\n[\s\S]*?^ {2}\},\n/gm, '')
    .replaceAll(/\bdescription:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$]*`),/g, "description: '',")
}
