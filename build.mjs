// Builds the wings into dist/, and runs what needs them built: `node build.mjs [pack|vsix|test|bench|cluster|codegen|signatures] [arguments]`.
// Imports only node: modules until the packages are known to be there.
import {
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

/** What others import: a bundle each. What several of them share becomes a chunk, so that a class of the runtime exists once in a process. */
const LIBRARIES = {
  engine: 'compiler/tools/engine.ts',
  express: 'compiler/tools/adapters/express.ts',
  fastify: 'compiler/tools/adapters/fastify.ts',
  runtime: 'runtime/index.ts',
  filters: 'runtime/page/filters/names.generated.ts',
}

/** What the command and its processes and threads run. */
const PROGRAMS = {
  compiler: 'compiler/cli.ts',
  server: 'server/main.ts',
  worker: 'server/worker.ts',
  'job-worker': 'server/operate/jobs/worker.ts',
  'deploy-worker': 'server/tools/instance/deploys/worker.ts',
  'transfer-worker': 'server/tools/instance/transfers/worker.ts',
  'job-thread': 'server/job-thread.ts',
  'release-trial': 'server/operate/activation/trial.ts',
}

/** Programs that somebody waits for, with what they mostly load after their start. */
const QUICK = { compiler: ['compiler/compile.ts'], worker: [] }

/**
 * Packages that stay outside of the bundles: they hold programs of the machine, look for files of their own beside them, or are
 * large and loaded by few. All others are bundled: they are many small files, and to find and load each of them was most of what
 * a start cost. So whoever installs the package installs these alone.
 */
const OUTSIDE = [
  // Fastify loads them for routes with a schema, and we have none.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@node-rs/argon2',
  // Loaded where traces are sent, and brought by whoever sends them.
  '@opentelemetry/sdk-node',
  'esbuild',
  // Half a megabyte of tables.
  'iconv-lite',
  'node-notifier',
  'openpgp',
  'piscina',
  'sharp',
]

/** In the place of a package that a plugin loads for an option that we do not use. */
const NO_GLOB = './server/web/http/no-glob.mjs'
/** The same for the validator that the protocol of agents brings. */
const NO_SCHEMAS = './compiler/tools/service/mcp/no-schemas.mjs'

/**
 * Makes sure that packages and bundles are there and as new as the sources. Silent when they are, else it says what it does
 * on standard error: standard output belongs to the command.
 * @returns {boolean} whether all is well; a message has been printed if not
 */
export function prepare() {
  return install() && (fresh() || run(process.execPath, [join(root, 'build.mjs')], 'Building …'))
}

/** Installs the packages where one is missing or has another version than package.json names. */
function install() {
  const { dependencies, devDependencies, optionalDependencies } = readJson(join(root, 'package.json'))
  const installed = (/** @type {string} */ name) => readJson(join(root, 'node_modules', name, 'package.json')).version
  // Optional ones are not there for every kind of machine.
  const optional = Object.entries(recordOf(optionalDependencies)).filter(([name]) => installed(name) !== undefined)
  const missing = Object.entries({ ...recordOf(dependencies), ...recordOf(devDependencies) })
    .concat(optional)
    .find(([name, version]) => installed(name) !== version)
  if (missing === undefined) return true
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  return run(npm, ['ci', '--no-audit', '--no-fund'], `Installing packages (${missing[0]} ${missing[1]} is not there) …`)
}

/**
 * Loaded where a program is run: every command comes by here, and most run none.
 * @returns {typeof import('node:child_process')}
 */
function childProcess() {
  return createRequire(import.meta.url)('node:child_process')
}

/**
 * Runs a program, having said so.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} sentence
 * @returns {boolean} whether it ended well; a message has been printed if not
 */
function run(command, args, sentence) {
  process.stderr.write(`${sentence}\n`)
  const { status, error } = childProcess().spawnSync(command, args, {
    cwd: root,
    // Whatever the command prints goes to standard error.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) return true
  const why = error === undefined ? `it ended with code ${status}` : error.message
  process.stderr.write(`\`${command} ${args.join(' ')}\` failed (${why}): its messages stand above.\n`)
  return false
}

/** Whether dist/ was built from the sources as they are. */
function fresh() {
  const { files, at } = readJson(join(dist, 'built.json'))
  const sources = sourceFiles()
  return typeof at === 'number' && files === sources.length && sources.every((file) => statSync(file).mtimeMs <= at)
}

function sourceFiles() {
  // The reference shows the examples of the filters.
  const files = ['package.json', 'build.mjs', 'fixtures/filters.json'].map((name) => join(root, name))
  for (const wing of ['compiler', 'runtime', 'server']) addSources(join(root, wing), files)
  return files
}

/**
 * Each command asks: Node's own way into folders of folders takes five times as long, and entries with their kinds three times. Folders
 * of ours have names without a dot.
 * @param {string} folder
 * @param {string[]} files gets those of the folder, and of all below it
 */
function addSources(folder, files) {
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`
    if (/\.(?:ts|mjs|json|graphql|sql)$/.test(name)) files.push(path)
    else if (!name.includes('.') && statSync(path).isDirectory()) addSources(path, files)
  }
}

/**
 * Bundles everything beside dist/, then puts it in its place: until the new one is whole, the old one stays.
 * @param {boolean} [packing] for others who install the package: with its types and licences
 */
async function build(packing = false) {
  const { build: bundle } = await import('esbuild')
  const { ESM } = await import('./compiler/tools/package/esm.mjs')
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
      external: OUTSIDE,
      alias: { ...ESM, glob: NO_GLOB, '@modelcontextprotocol/server/_shims': NO_SCHEMAS },
      // The bundles name the files that they were made of: as they stand in the project, wherever its packages lie.
      preserveSymlinks: true,
      // The sources that maps lead to are not in the package.
      sourcemap: !packing,
      sourcesContent: false,
      // Names stay: they stand in the stacks of errors.
      minifyWhitespace: packing,
      // For an uncaught error, Node prints the whole line that threw it.
      ...(packing ? { lineLimit: 120 } : {}),
      logLevel: 'error',
    }
    const libraries = await bundle({
      ...options,
      entryPoints: LIBRARIES,
      outdir: next,
      splitting: true,
      format: 'esm',
      // Bundled CommonJS asks for Node's modules by it.
      banner: {
        js: "import { createRequire as $createRequire } from 'node:module'\nconst require = $createRequire(import.meta.url)",
      },
      metafile: true,
    })
    const { addPrograms } = await import('./compiler/tools/package/programs.mjs')
    const programs = await addPrograms({ bundle, options, programs: PROGRAMS, quick: QUICK, next })
    for (const { inputs } of [libraries.metafile, programs]) refuseNameless(inputs)
    const { addGraphiql } = await import('./compiler/tools/package/graphiql.mjs')
    const inPage = await addGraphiql({ bundle, root, next, packagesIn })
    const { addBrowserBundles } = await import('./compiler/tools/package/browser.mjs')
    const inBrowser = await addBrowserBundles({ bundle, root, next })
    if (packing) {
      const { complete } = await import('./compiler/tools/package/contents.mjs')
      await complete({
        root,
        next,
        bundles: LIBRARIES,
        packages: [...[libraries.metafile, programs, ...inBrowser].flatMap(packagesIn), ...inPage],
      })
    }
    writeFileSync(join(next, 'built.json'), JSON.stringify({ at, files }))
    swap(next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/**
 * Bundled CommonJS has no names for `import()`, where Node finds some: a module that imports it has to stand between them.
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
function refuseNameless(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const one = imports.find(({ path, kind }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
    if (one !== undefined && !file.includes('node_modules'))
      throw new Error(`'${file}' loads '${one.original}' by import(), but that is CommonJS`)
  }
}

/**
 * The folders of the packages that a bundle holds code of.
 * @param {import('esbuild').Metafile} metafile
 * @returns {readonly string[]}
 */
function packagesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const held = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return [...new Set(held.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))]
}

/**
 * Puts a new dist/ in the place of the old one.
 * @param {string} next
 */
function swap(next) {
  const old = `${next}-old`
  // Another build may be doing the same at the same moment; one of the two comes last.
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
 * @param {readonly string[]} args what vitest is told beside the configuration
 * @returns {Promise<number>} the exit code
 */
async function test(args) {
  if (!install()) return 2
  if (!fresh()) await build()
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  return node([vitest, 'run', '--config', 'test/vitest.config.ts', ...args])
}

/** Benchmarks that run only where they are named, for they take minutes. */
const LONG_BENCHES = ['soak']

/**
 * Runs test/bench/*.bench.ts one after another as plain scripts, from the project's folder.
 * @param {readonly string[]} args names of those that run, where there are any; `--write`, to put what they print into the reference
 * @returns {Promise<number>} the exit code
 */
async function bench(args) {
  const names = args.filter((arg) => arg !== '--write')
  if (!install()) return 2
  const folder = join(root, 'test', 'bench')
  const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
  const nameOf = (/** @type {string} */ file) => file.replace('.bench.ts', '')
  const chosen = files.filter((file) =>
    names.length === 0 ? !LONG_BENCHES.includes(nameOf(file)) : names.includes(nameOf(file)),
  )
  if (chosen.length === 0) {
    const known = files.map(nameOf).join(', ')
    process.stderr.write(`There is no such benchmark: there are ${known}.\n`)
    return 2
  }
  const { keepFigures, machine } = await import('./test/bench/figures.mjs')
  const printed = join(root, 'node_modules', '.ingot-bench', 'figures.jsonl')
  for (const file of chosen) {
    // Figures that were put into the reference are a part of the product.
    if (!fresh()) await build()
    const source = join(folder, file)
    const before = machine()
    rmSync(printed, { force: true })
    if (args.includes('--write')) process.env['INGOT_FIGURES'] = printed
    const code = node(['--expose-gc', await script(source)])
    if (code !== 0) return code
    if (args.includes('--write')) keepFigures(root, nameOf(file), source, before, printed)
  }
  return 0
}

/**
 * Runs the cluster of test/cluster/.
 * @param {readonly string[]} args what it is told
 * @returns {Promise<number>} the exit code
 */
async function cluster(args) {
  if (!install()) return 2
  if (!fresh()) await build()
  const folder = join(root, 'test', 'cluster')
  await script(join(folder, 'visitors.ts'))
  return node([await script(join(folder, 'cluster.ts')), ...args])
}

/**
 * Makes a script that node runs of a source with what it imports.
 * @param {string} source
 * @returns {Promise<string>} its path
 */
async function script(source) {
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
 * Runs a script in a process of its own, with our input and output.
 * @param {readonly string[]} args
 * @returns {number} the exit code
 */
function node(args) {
  return childProcess().spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}

/**
 * The object in a file of JSON.
 * @param {string} path
 */
function readJson(path) {
  try {
    return recordOf(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // A file that is not there, or was broken off, is like one that says nothing: what it is about is made anew.
    return {}
  }
}

/**
 * The entries of an object; none where the value is something else.
 * @param {unknown} value
 * @returns {Readonly<Record<string, unknown>>}
 */
function recordOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * The modules of ours that a command runs from their sources.
 * @typedef {{
 *   'compiler/language/types/from-typescript.ts': typeof import('./compiler/language/types/from-typescript.ts'),
 *   'runtime/data/query/codegen.ts': typeof import('./runtime/data/query/codegen.ts'),
 *   'server/web/files/zip.ts': typeof import('./server/web/files/zip.ts'),
 * }} Ours
 */

/**
 * A module of ours with what it imports, so that it runs without having been built.
 * @template {keyof Ours} Path
 * @param {Path} path
 * @returns {Promise<Ours[Path]>}
 */
async function ours(path) {
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

/** Reads the signatures of the runtime's filters into the compiler's table. */
async function signatures() {
  if (!install()) return 2
  const { writeSignatures } = await ours('compiler/language/types/from-typescript.ts')
  process.stdout.write(
    (await writeSignatures(root)) ? 'The table of filters has changed.\n' : 'The table of filters is current.\n',
  )
  return 0
}

/** Makes the types of the GraphQL schema for our own code. */
async function codegen() {
  if (!install()) return 2
  const { config, HEADER, SCHEMA_TYPES } = await ours('runtime/data/query/codegen.ts')
  const { generate } = await import('@graphql-codegen/cli')
  /** @type {readonly { readonly content: string }[]} */
  const [file] = await generate(config, false)
  if (file === undefined) throw new Error('graphql-codegen gave no file')
  const path = join(root, SCHEMA_TYPES)
  const text = HEADER + file.content
  const current = existsSync(path) && readFileSync(path, 'utf8') === text
  if (!current) writeFileSync(path, text)
  process.stdout.write(current ? 'The types of the schema are current.\n' : 'The types of the schema have changed.\n')
  return 0
}

/** Packs the extension for VS Code into dist/. */
async function vsix() {
  if (!install()) return 2
  const { packExtension } = await import('./compiler/tools/package/extension.mjs')
  const { writeZip } = await ours('server/web/files/zip.ts')
  const { build: bundle } = await import('esbuild')
  const to = join(root, 'dist', 'ingot.vsix')
  mkdirSync(join(root, 'dist'), { recursive: true })
  await packExtension({ root, to, bundle, writeZip })
  process.stdout.write(`Packed ${to}\n`)
  return 0
}

/**
 * @param {readonly string[]} argv a command and what follows it
 * @returns {Promise<number>} the exit code
 */
async function main([command, ...args]) {
  if (command === 'test') return test(args)
  if (command === 'signatures') return signatures()
  if (command === 'codegen') return codegen()
  if (command === 'bench') return bench(args)
  if (command === 'cluster') return cluster(args)
  if (command === 'vsix') return vsix()
  if (command !== undefined && command !== 'pack') {
    process.stderr.write(
      `build.mjs has no command '${command}': it has pack, vsix, test, bench, cluster, codegen and signatures, and builds without one.\n`,
    )
    return 2
  }
  if (!install()) return 2
  await build(command === 'pack')
  return 0
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  process.exitCode = await main(process.argv.slice(2)).catch((/** @type {unknown} */ error) => {
    // esbuild has printed what it did not understand.
    process.stderr.write(`The build failed: ${error instanceof Error ? error.message : error}\n`)
    return 1
  })
}
