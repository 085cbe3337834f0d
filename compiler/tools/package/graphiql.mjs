// Bundles and compresses GraphiQL, the query page of `ingot dev`.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** The packages of GraphiQL. Only their bundle is published. */
const GRAPHIQL = ['graphiql', 'react', 'react-dom', 'monaco-editor', 'monaco-graphql']

/**
 * Bundles GraphiQL for the browser. The result is cached for each set of its packages.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {string} made.root the project's folder
 * @param {string} made.next the folder that becomes dist/
 * @param {(metafile: import('esbuild').Metafile) => readonly string[]} made.packagesIn
 * @returns {Promise<readonly string[]>} the folders of the packages with bundled code
 */
export async function addGraphiql({ bundle, root, next, packagesIn }) {
  const page = join(root, 'server', 'tools', 'dev', 'graphiql', 'page.mjs')
  const versions = GRAPHIQL.map((name) => readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  const stamp = createHash('sha256')
    .update(JSON.stringify([versions, readFileSync(page, 'utf8')]))
    .digest('hex')
  const cacheFolder = join(root, 'node_modules', '.ingot-page', `${stamp.slice(0, 16)}-system-fonts`)
  if (!existsSync(cacheFolder)) {
    const draft = `${cacheFolder}-${process.pid}`
    rmSync(draft, { recursive: true, force: true })
    const packages = (await bundleGraphiql(bundle, root, page, join(draft, 'graphiql'))).flatMap(packagesIn)
    compress(join(draft, 'graphiql'))
    writeFileSync(join(draft, 'packages.json'), JSON.stringify({ packages }))
    // Another build may have created the same bundle meanwhile.
    if (existsSync(cacheFolder)) rmSync(draft, { recursive: true })
    else renameSync(draft, cacheFolder)
  }
  cpSync(join(cacheFolder, 'graphiql'), join(next, 'graphiql'), { recursive: true })
  /** @type {{ packages: readonly string[] }} */
  const { packages } = JSON.parse(readFileSync(join(cacheFolder, 'packages.json'), 'utf8'))
  return packages
}

/**
 * @param {typeof import('esbuild').build} bundle
 * @param {string} root
 * @param {string} page its source
 * @param {string} outdir
 */
async function bundleGraphiql(bundle, root, page, outdir) {
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const options = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    loader: { '.ttf': 'file' },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  }
  const workers = {
    'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  }
  return [
    await bundle({ ...options, entryPoints: { graphiql: page }, format: 'esm' }),
    await bundle({ ...options, entryPoints: workers, format: 'iife' }),
  ].map(({ metafile }) => metafile)
}

/** A font inside the style sheet. The fonts of the system are used instead, because these are a fifth of the page's size. */
const INLINE_FONT = /@font-face\{[^{}]*url\("?data:[^{}]*\}/g

/**
 * Replaces each file with its compressed version, which browsers receive.
 * @param {string} folder
 */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const text = readFileSync(file)
    const stored = name.endsWith('.css') ? Buffer.from(text.toString('utf8').replace(INLINE_FONT, '')) : text
    writeFileSync(`${file}.br`, brotliCompressSync(stored, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }))
    rmSync(file)
  }
}
