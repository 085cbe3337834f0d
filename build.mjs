// Builds the wings into dist/, and runs tools that need the build:
// `node build.mjs [pack|vsix|install|test|bench|cluster|codegen|signatures] [arguments]`.
// Imports only node: modules until the packages are installed.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = join(root, 'dist')

/** Library bundles that users import. Shared code becomes a chunk, so that a runtime class exists only once in a process. */
const LIBRARIES = {
  engine: 'compiler/tools/engine.ts',
  express: 'compiler/tools/adapters/express.ts',
  fastify: 'compiler/tools/adapters/fastify.ts',
  runtime: 'runtime/index.ts',
  filters: 'runtime/page/filters/names.generated.ts',
}

/** Bundles that the `ingot` command, its processes and its threads run. */
const PROGRAMS = {
  compiler: 'compiler/cli.ts',
  'custom-checks': 'compiler/tools/custom-checks/process/main.ts',
  server: 'server/main.ts',
  worker: 'server/worker.ts',
  'job-worker': 'server/operate/jobs/worker.ts',
  'deploy-worker': 'server/tools/instance/deploys/worker.ts',
  'transfer-worker': 'server/tools/instance/transfers/worker.ts',
  'job-thread': 'server/job-thread.ts',
  'print-worker': 'server/core/print/worker.ts',
  'release-trial': 'server/operate/activation/trial.ts',
}

/** Programs that must start fast, each with the modules that it usually loads only after its start. */
const FAST_STARTING = { compiler: ['compiler/compile.ts'], worker: [] }

/**
 * Packages that are not bundled: they contain native code, look for files in their own folder, or are large and rarely used.
 * All others are bundled, because finding and loading their many small files took most of the start time. Users of the
 * package install only these.
 */
const UNBUNDLED = [
  // Fastify loads these two for routes with a schema, which Ingot does not have.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@node-rs/argon2',
  // Needed only for sending traces; users who send traces install it.
  '@opentelemetry/sdk-node',
  'esbuild',
  // Contains tables of half a megabyte.
  'iconv-lite',
  'node-notifier',
  'openpgp',
  'piscina',
  'sharp',
  // A part of the queue loads it for settings in a TypeScript file, which Ingot does not have.
  'typescript',
]

/** Replaces a package that a bundled plugin loads only for an option that Ingot does not use. */
const NO_GLOB = './server/web/http/no-glob.mjs'
/** Replaces the validator of the MCP library, which Ingot does not use. */
const NO_SCHEMAS = './compiler/tools/service/mcp/no-schemas.mjs'

/**
 * Installs missing packages, and builds the bundles if they are older than the sources. Progress goes to standard error, because
 * standard output belongs to the command.
 * @returns {Promise<boolean>} whether it succeeded; a message was printed if not
 */
export async function prepare() {
  const { installMissing, showProgress } = await installer()
  if (!(await installMissing(root, 'product'))) return false
  if (isBuildCurrent()) return true
  const isFirst = !existsSync(join(dist, 'built.json'))
  process.stderr.write(
    isFirst ? 'Ingot is built from its sources.\n' : 'The sources have changed, so Ingot is built again.\n',
  )
  const progress = showProgress(() => 'Building')
  const built = await runBuild()
  const seconds = progress.end()
  if (built) process.stderr.write(`Built Ingot in ${seconds} s.\n`)
  return built
}

function installer() {
  return import('./compiler/tools/package/install.mjs')
}

/**
 * Installs the packages for developers when one is missing.
 * @returns {Promise<boolean>} whether everything is installed; a message was printed if not
 */
async function installAll() {
  return (await installer()).installMissing(root, 'all')
}

/**
 * Loads `node:child_process` on first use: every command imports this file, and most run no program.
 * @returns {typeof import('node:child_process')}
 */
function childProcess() {
  return createRequire(import.meta.url)('node:child_process')
}

/**
 * Builds in a child process, whose output goes to standard error.
 * @returns {Promise<boolean>} whether it succeeded; a message was printed if not
 */
function runBuild() {
  const child = childProcess().spawn(process.execPath, [join(root, 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  return new Promise((done) => {
    child.once('close', (code, signal) => {
      if (code !== 0)
        process.stderr.write(`Ingot could not be built (${signal ?? `code ${code}`}). See the messages above.\n`)
      done(code === 0)
    })
  })
}

/** Returns whether dist/ was built from the current sources. */
function isBuildCurrent() {
  const { files, at } = readJson(join(dist, 'built.json'))
  const sources = sourceFiles()
  return typeof at === 'number' && files === sources.length && sources.every((file) => statSync(file).mtimeMs <= at)
}

function sourceFiles() {
  // The build contains package.json's version and the reference's examples of filters.
  const files = ['package.json', 'build.mjs', 'fixtures/filters.json'].map((name) => join(root, name))
  for (const wing of ['compiler', 'runtime', 'server']) addSources(join(root, wing), files)
  return files
}

/**
 * Adds the source files below a folder. Every command calls this, so it is fast: Node's recursive `readdir` takes five times as
 * long, and `withFileTypes` three times. Folder names of this project have no dot.
 * @param {string} folder
 * @param {string[]} files receives the paths
 */
function addSources(folder, files) {
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`
    if (/\.(?:ts|mjs|json|graphql|sql|md|html|liquid|yml|css|js|svg)$/.test(name)) files.push(path)
    else if (!name.includes('.') && statSync(path).isDirectory()) addSources(path, files)
  }
}

/**
 * Builds all bundles in a new folder, then replaces dist/ with it. Until then the old dist/ stays.
 * @param {boolean} [packing] whether to build for publishing, with types and licenses
 */
async function build(packing = false) {
  const { build: bundle, transformSync: transform } = await import('esbuild')
  const { ESM } = await import('./compiler/tools/package/esm.mjs')
  const { removeUnfinished } = await installer()
  removeUnfinished(root)
  const at = Date.now()
  const files = sourceFiles().length
  const next = join(root, `.ingot-dist-${process.pid}`)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next)
  try {
    /** @type {import('esbuild').BuildOptions} */
    const options = {
      absWorkingDir: root,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'chunk-[hash]',
      bundle: true,
      platform: 'node',
      target: 'node20',
      external: UNBUNDLED,
      // The pages of the reference and their stylesheet are bundled as texts.
      loader: { '.md': 'text', '.css': 'text', '.html': 'text' },
      alias: { ...ESM, glob: NO_GLOB, '@modelcontextprotocol/server/_shims': NO_SCHEMAS },
      // Source paths in the bundles stay relative to the project, even if node_modules is a symbolic link.
      preserveSymlinks: true,
      // The published package does not contain the sources that maps refer to.
      sourcemap: !packing,
      sourcesContent: false,
      // Identifiers are not minified, because stack traces show them.
      minifyWhitespace: packing,
      // Short lines, because Node prints the whole line that threw an uncaught error.
      ...(packing ? { lineLimit: 120 } : {}),
      logLevel: 'error',
    }
    const libraries = await bundle({
      ...options,
      entryPoints: LIBRARIES,
      outdir: next,
      splitting: true,
      format: 'esm',
      // Bundled CommonJS loads Node's modules with `require`.
      banner: {
        js: "import { createRequire as $createRequire } from 'node:module'\nconst require = $createRequire(import.meta.url)",
      },
      metafile: true,
    })
    const { addPrograms } = await import('./compiler/tools/package/programs.mjs')
    const programs = await addPrograms({ bundle, options, programs: PROGRAMS, quick: FAST_STARTING, next })
    for (const { inputs } of [libraries.metafile, programs]) refuseCommonJsImports(inputs)
    const { addGraphiql } = await import('./compiler/tools/package/graphiql.mjs')
    const pagePackages = await addGraphiql({ bundle, root, next, packagesIn })
    const { addBrowserBundles } = await import('./compiler/tools/package/browser.mjs')
    const browserMetafiles = await addBrowserBundles({ bundle, root, next })
    const { addStudio } = await import('./compiler/tools/package/studio.mjs')
    addStudio({ transform, root, next })
    const { addLiveScript } = await import('./compiler/tools/package/live.mjs')
    const liveMetafile = await addLiveScript({ bundle, root, next })
    const packages = [
      ...new Set([
        ...[libraries.metafile, programs, ...browserMetafiles, liveMetafile].flatMap(packagesIn),
        ...pagePackages,
      ]),
    ]
    if (packing) {
      const { complete } = await import('./compiler/tools/package/contents.mjs')
      await complete({ root, next, bundles: LIBRARIES, packages })
    }
    const kept = packing ? {} : keepParts(dist, next, Date.now())
    writeFileSync(join(next, 'built.json'), JSON.stringify({ at, files, kept, packages }))
    replaceBuild(dist, next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/**
 * Throws when a source file loads a CommonJS module with `import()`: the bundle would lack the named exports that Node detects.
 * A module with a static import of it must be loaded instead.
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
function refuseCommonJsImports(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const one = imports.find(({ path, kind }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
    if (one !== undefined && !file.includes('node_modules'))
      throw new Error(
        `'${file}' loads '${one.original}' with import(), but it is CommonJS: load a module of this project that imports it statically`,
      )
  }
}

/**
 * Returns the folders of the packages whose code is in a bundle.
 * @param {import('esbuild').Metafile} metafile
 * @returns {readonly string[]}
 */
function packagesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const included = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return [...new Set(included.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))]
}

/** Matches the file names of shared parts, which contain a digest. A process may load a part long after its start. */
const PART = /^chunk-[A-Z\d]{8}\./
/** Milliseconds for which parts of replaced builds are kept. */
const PART_AGE = 86_400_000

/**
 * Copies the parts of the current build into a new build, so that running servers still find them.
 * @param {string} from the folder of the current build
 * @param {string} to the folder of the new build
 * @param {number} now in milliseconds
 * @returns {Readonly<Record<string, number>>} when each copied part was replaced, by path
 */
export function keepParts(from, to, now) {
  const earlier = toRecord(readJson(join(from, 'built.json')).kept)
  /** @type {Record<string, number>} */
  const kept = {}
  for (const folder of ['', 'programs']) {
    const names = existsSync(join(from, folder)) ? readdirSync(join(from, folder)) : []
    for (const name of names) {
      const path = join(folder, name)
      const since = Number(earlier[path] ?? now)
      if (!PART.test(name) || existsSync(join(to, path)) || now - since > PART_AGE) continue
      copyFileSync(join(from, path), join(to, path))
      kept[path] = since
    }
  }
  return kept
}

/**
 * Replaces a build with a new one.
 * @param {string} dist the folder of the current build
 * @param {string} next the folder of the new build
 */
export function replaceBuild(dist, next) {
  const old = `${next}-old`
  // Another build may replace dist/ at the same time. The last one wins.
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(next, dist)
      break
    } catch (error) {
      if (attempt === 4) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

/**
 * Runs the tests.
 * @param {readonly string[]} args further arguments for vitest
 * @returns {Promise<number>} the exit code
 */
async function test(args) {
  if (!(await installAll())) return 2
  if (!isBuildCurrent()) await build()
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  return runNode([vitest, 'run', '--config', 'test/vitest.config.ts', ...args])
}

/** Benchmarks that take minutes. They run only when they are named. */
const LONG_BENCHMARKS = ['soak']

/**
 * Runs test/bench/*.bench.ts one after another as plain scripts, from the project's folder.
 * @param {readonly string[]} args names of benchmarks, all if there are none; `--write` writes their figures into the reference
 * @returns {Promise<number>} the exit code
 */
async function bench(args) {
  const names = args.filter((arg) => arg !== '--write')
  if (!(await installAll())) return 2
  const folder = join(root, 'test', 'bench')
  const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
  const nameOf = (/** @type {string} */ file) => file.replace('.bench.ts', '')
  const chosen = files.filter((file) =>
    names.length === 0 ? !LONG_BENCHMARKS.includes(nameOf(file)) : names.includes(nameOf(file)),
  )
  if (chosen.length === 0) {
    const known = files.map(nameOf).join(', ')
    process.stderr.write(`There is no such benchmark: choose from ${known}.\n`)
    return 2
  }
  const { keepFigures, machine } = await import('./test/bench/figures.mjs')
  const printed = join(root, 'node_modules', '.ingot-bench', 'figures.jsonl')
  for (const file of chosen) {
    // Figures in the reference are part of the build, so writing them makes it outdated.
    if (!isBuildCurrent()) await build()
    const source = join(folder, file)
    const before = machine()
    rmSync(printed, { force: true })
    if (args.includes('--write')) process.env['INGOT_FIGURES'] = printed
    const code = runNode(['--expose-gc', await bundleScript(source)])
    if (code !== 0) return code
    if (args.includes('--write')) keepFigures(root, nameOf(file), source, before, printed)
  }
  return 0
}

/**
 * Runs the cluster of test/cluster/.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function cluster(args) {
  if (!(await installAll())) return 2
  if (!isBuildCurrent()) await build()
  const folder = join(root, 'test', 'cluster')
  await bundleScript(join(folder, 'visitors.ts'))
  return runNode([await bundleScript(join(folder, 'cluster.ts')), ...args])
}

/**
 * Bundles a TypeScript file and its imports into a script for Node.
 * @param {string} source
 * @returns {Promise<string>} its path
 */
async function bundleScript(source) {
  const { build: bundle } = await import('esbuild')
  const outfile = join(root, 'node_modules', '.ingot-bench', basename(source).replace(/\.ts$/, '.mjs'))
  await bundle({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
  })
  return outfile
}

/**
 * Runs a script in a child process that inherits input and output.
 * @param {readonly string[]} args
 * @returns {number} the exit code
 */
function runNode(args) {
  return childProcess().spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}

/**
 * Reads an object from a JSON file; returns an empty object when it is missing or invalid.
 * @param {string} path
 */
function readJson(path) {
  try {
    return toRecord(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // A missing or truncated file only means that something is installed or built again.
    return {}
  }
}

/**
 * Copies an object; returns an empty object for other values.
 * @param {unknown} value
 * @returns {Readonly<Record<string, unknown>>}
 */
function toRecord(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * The project's modules that commands run from source.
 * @typedef {{
 *   'compiler/language/types/from-typescript.ts': typeof import('./compiler/language/types/from-typescript.ts'),
 *   'runtime/data/query/codegen.ts': typeof import('./runtime/data/query/codegen.ts'),
 *   'server/web/files/zip.ts': typeof import('./server/web/files/zip.ts'),
 * }} SourceModules
 */

/**
 * Bundles and imports a module of the project, so that it runs without a build.
 * @template {keyof SourceModules} Path
 * @param {Path} path
 * @returns {Promise<SourceModules[Path]>}
 */
async function importSource(path) {
  const { build: bundle } = await import('esbuild')
  const outfile = join(root, 'node_modules', '.ingot-bench', path.replace(/\W/g, '-').replace(/-ts$/, '.mjs'))
  await bundle({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

/** Writes the signatures of the runtime's filters to the compiler's table. */
async function signatures() {
  if (!(await installAll())) return 2
  const { writeSignatures } = await importSource('compiler/language/types/from-typescript.ts')
  process.stdout.write(
    (await writeSignatures(root)) ? 'The table of filters has changed.\n' : 'The table of filters is current.\n',
  )
  return 0
}

/** Generates the TypeScript types of the GraphQL schema. */
async function codegen() {
  if (!(await installAll())) return 2
  const { config, HEADER, SCHEMA_TYPES } = await importSource('runtime/data/query/codegen.ts')
  const { generate } = await import('@graphql-codegen/cli')
  /** @type {readonly { readonly content: string }[]} */
  const [file] = await generate(config, false)
  if (file === undefined) throw new Error('graphql-codegen returned no file')
  const path = join(root, SCHEMA_TYPES)
  const text = HEADER + file.content
  const current = existsSync(path) && readFileSync(path, 'utf8') === text
  if (!current) writeFileSync(path, text)
  process.stdout.write(current ? 'The types of the schema are current.\n' : 'The types of the schema have changed.\n')
  return 0
}

/** Packs the extension for VS Code into dist/. */
async function vsix() {
  if (!(await installAll())) return 2
  const { packExtension } = await import('./compiler/tools/package/extension.mjs')
  const { writeZip } = await importSource('server/web/files/zip.ts')
  const { build: bundle } = await import('esbuild')
  const to = join(root, 'dist', 'ingot.vsix')
  mkdirSync(join(root, 'dist'), { recursive: true })
  await packExtension({ root, to, bundle, writeZip })
  process.stdout.write(`Packed ${to}\n`)
  return 0
}

/**
 * Runs a command of the build.
 * @param {readonly string[]} argv the command and its arguments
 * @returns {Promise<number>} the exit code
 */
async function main([command, ...args]) {
  if (command === 'test') return test(args)
  if (command === 'signatures') return signatures()
  if (command === 'codegen') return codegen()
  if (command === 'bench') return bench(args)
  if (command === 'cluster') return cluster(args)
  if (command === 'vsix') return vsix()
  if (command === 'install') return (await installAll()) ? 0 : 2
  if (command !== undefined && command !== 'pack') {
    process.stderr.write(
      `build.mjs has no command '${command}': use pack, vsix, install, test, bench, cluster, codegen or signatures, or no command to build.\n`,
    )
    return 2
  }
  const scope = command === 'pack' ? 'all' : 'product'
  if (!(await (await installer()).installMissing(root, scope))) return 2
  await build(command === 'pack')
  return 0
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  process.exitCode = await main(process.argv.slice(2)).catch((/** @type {unknown} */ error) => {
    // esbuild has already printed its errors.
    process.stderr.write(`The build failed: ${error instanceof Error ? error.message : error}\n`)
    return 1
  })
}
