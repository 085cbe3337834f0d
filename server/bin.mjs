#!/usr/bin/env node
// The `ingot` command: builds what is missing, then loads the one wing that the command needs.
import { existsSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { ENVIRONMENT } from '../runtime/data/environment.mjs'
import { COMMANDS } from './commands.mjs'

const OLDEST = { major: 20, minor: 19 }

/**
 * What a bundle of dist/ exports for the command line; the compiler's has `codes`, the names of its diagnostics.
 * @typedef {object} Wing
 * @property {(argv: readonly string[], codes?: readonly string[]) => Promise<number>} main gives the exit code
 * @property {() => Promise<readonly string[]>} [codes]
 */

/** Commands that work beside a server on one machine: its visitors come first when processors are scarce. */
const YIELDING = new Set(['backup', 'build', 'release', 'service'])

/** Commands that look at a whole site once and end: most of their code runs too briefly for what the engine would do to make it fast. */
const BRIEF = new Set(['build', 'check'])
/**
 * The engine inlines less into functions that it optimizes, and waits longer before it does: a check of 1,000 templates takes a tenth
 * less time by it, a build a seventh, and both a sixth less of the processors. Those of a site of 6,000 are no slower.
 */
const LESS_OPTIMIZATION = '--max-inlined-bytecode-size-cumulative=300 --interrupt-budget=100000'

/** Where the words about a variable begin. */
const VARIABLE_WIDTH = 22

/**
 * The variables of the environment that a command goes by, a line each.
 * @param {(name: string) => boolean} [isShown]
 */
function environmentText(isShown = () => true) {
  /** @type {import('../runtime/data/environment.mjs').VariableGroups} */
  const groups = ENVIRONMENT
  const all = Object.values(groups).flatMap((group) => Object.entries(group))
  const lines = all
    .filter(([name]) => isShown(name))
    .map(([name, { says, otherwise = 'none' }]) => {
      const head = `  ${name}  `.padEnd(VARIABLE_WIDTH)
      return `${head}${says} (${otherwise})\n`.replaceAll('`', '')
    })
  return `Environment:\n${lines.join('')}`
}

const root = new URL('..', import.meta.url)

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main(argv) {
  const [name, ...rest] = argv
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
    return refuse(
      `Ingot needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and this is ${process.versions.node}: install a newer Node.`,
    )
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help())
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const near = nearest(name)
    const hint = near === null ? 'see `ingot --help`' : `did you mean \`ingot ${near}\`?`
    const kind = name.startsWith('-') ? 'option' : 'command'
    return refuse(`Ingot has no ${kind} '${name}': ${hint}`)
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpOf(name, command))
    return 0
  }
  const slip = command.hidden === true ? null : misspelled(command, rest)
  if (slip !== null) return refuse(`\`ingot ${name}\` has no option '${slip.word}': did you mean ${slip.near}?`)
  if (YIELDING.has(name)) yieldProcessor()
  // Before anything is loaded: code that is kept for the next process is that of an engine with the same flags.
  if (BRIEF.has(name)) setFlagsFromString(LESS_OPTIMIZATION)
  // Only a source checkout has build.mjs; a package that was delivered brings its dist.
  const build = new URL('build.mjs', root)
  if (existsSync(build)) {
    /** @type {typeof import('../build.mjs')} */
    const { prepare } = await import(build.href)
    if (!prepare()) return 2
  }
  const wing = await load(command.wing)
  if (wing === null) return 2
  if (name !== 'explain') return wing.main(argv)
  // A name of a diagnostic is explained by the wing that knows it, any other may be a query.
  const compiler = await load('compiler')
  if (compiler === null) return 2
  const codes = (await compiler.codes?.()) ?? []
  const [word] = rest
  const isCode = rest.length === 1 && word !== undefined && codes.includes(word)
  return isCode ? compiler.main(argv) : wing.main(argv, codes)
}

function yieldProcessor() {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where it is not allowed, the command runs as any other.
  }
}

/**
 * The first option that a command does not have, with the one that it most likely means; null where there is none of that kind.
 * @param {import('./commands.mjs').Command} command
 * @param {readonly string[]} rest
 */
function misspelled({ options = [], takes, wing }, rest) {
  // The server's commands say so themselves.
  if (wing !== 'compiler') return null
  const known = new Set([...options, takes].flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? []))
  const end = rest.indexOf('--')
  const given = (end < 0 ? rest : rest.slice(0, end)).flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
  for (const word of given) {
    const near = known.has(word) ? null : nearestOf(word, known)
    if (near !== null) return { word, near }
  }
  return null
}

function version() {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : 'unknown'
}

/**
 * Loads a wing; null, and a sentence, where it is not there.
 * @param {import('./commands.mjs').Command['wing']} name
 * @returns {Promise<Wing | null>}
 */
async function load(name) {
  const wing = new URL(`dist/${name}.mjs`, root)
  if (existsSync(wing)) return import(pathToFileURL(fileURLToPath(wing)).href)
  refuse(`Ingot is not complete ('${fileURLToPath(wing)}' is missing): install it again.`)
  return null
}

/**
 * Says why a command cannot run.
 * @param {string} sentence
 * @returns {number} the exit code
 */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`)
  return 2
}

/** The variables of a command that only looks into a site: where its database is. */
const OF_THE_SITE = new Set(['DATABASE_URL', 'INGOT_DATA', 'INGOT_RELEASES', 'INGOT_SECRET', 'INGOT_ENV', 'INGOT_LOG'])

/** The variables of a command that works with another server. */
const OF_REMOTE = new Set(['MPKIT_URL', 'MPKIT_TOKEN', 'MPKIT_EMAIL', 'CONFIG_FILE_PATH'])

/** The commands that work with another server. */
const REMOTE = new Set(['deploy', 'sync'])

/** The commands that serve, or run jobs, and so go by all of them. */
const LISTENING = new Set(['serve', 'dev', 'demo', 'worker'])

/** Where the sentences of the overview begin. */
const WIDTH = 25

function help() {
  const rows = Object.entries(COMMANDS).filter(([, { hidden }]) => !hidden)
  const lines = rows.map(([name, { takes, does = '' }]) => {
    const head = `  ingot ${name} ${takes}`
    return head.length < WIDTH ? head.padEnd(WIDTH) + does : `${head}\n${' '.repeat(WIDTH)}${does}`
  })
  return `Ingot compiles sites written in Liquid to TypeScript, checks them, and serves them.

${lines.join('\n')}
  ingot --version        print the version
  ingot COMMAND --help   the options of a command

${environmentText()}
Exit codes: 0 all is well, 1 the site has errors, 2 the command could not run.
`
}

/**
 * @param {string} name
 * @param {import('./commands.mjs').Command} command
 */
function helpOf(name, { takes, does = '', options = [], more, wing }) {
  const list = options.length === 0 ? '' : `\nOptions:\n${options.map((option) => `  ${option}\n`).join('')}`
  const names = REMOTE.has(name) ? OF_REMOTE : OF_THE_SITE
  const isShown = LISTENING.has(name) ? undefined : (/** @type {string} */ variable) => names.has(variable)
  const environment = wing !== 'server' ? '' : `\n${environmentText(isShown)}`
  return `ingot ${name} ${takes}`
    .trimEnd()
    .concat(`: ${does}\n${list}${more === undefined ? '' : `\n${more}`}${environment}`)
}

/**
 * The command that a mistyped word most likely means, null where none is near.
 * @param {string} word
 */
function nearest(word) {
  return nearestOf(
    word,
    Object.entries(COMMANDS).flatMap(([name, { hidden }]) => (hidden ? [] : [name])),
  )
}

/**
 * The nearest of the known words; null where none is near.
 * @param {string} word
 * @param {Iterable<string>} known
 */
function nearestOf(word, known) {
  const near = [...known].map((name) => ({ name, far: distance(word, name) })).sort((a, b) => a.far - b.far)[0]
  return near !== undefined && near.far <= 2 ? near.name : null
}

/**
 * How many letters are to be put in, left out or changed to make one word of the other.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    let before = i + 1
    const next = [before]
    for (const [j, other] of [...b].entries()) {
      const [left = 0, above = 0] = row.slice(j, j + 2)
      before = Math.min(above + 1, before + 1, left + (letter === other ? 0 : 1))
      next.push(before)
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/**
 * Ends a command whose output has no room.
 * @param {NodeJS.WriteStream} stream
 * @param {NodeJS.ErrnoException} error
 */
function unwritable(stream, error) {
  const why = error.code === 'ENOSPC' ? 'the disk is full: make room' : error.message
  if (stream === process.stdout) process.stderr.write(`The output cannot be written, ${why}.\n`)
  process.exit(2)
}

// Set to nothing it is not set (no-color.org): whatever looks for it from here on need not know that.
if (process.env['NO_COLOR'] === '') delete process.env['NO_COLOR']
// Whoever reads has read enough (`ingot … | head`): what serves is told to stop, all else ends by itself, and says nothing more.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') return unwritable(stream, error)
    if (stream === process.stdout) process.emit('SIGTERM')
  })
process.exitCode = await main(process.argv.slice(2))
