#!/usr/bin/env node
// The `ingot` command: builds missing bundles, then loads the one bundle (a "wing") that the command needs.
import { existsSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { COMMANDS } from './commands.mjs'
import { completionScript, SHELLS } from './commands/completion.mjs'
import { commandHelp, overview } from './commands/help.mjs'

const OLDEST = { major: 20, minor: 19 }

/**
 * The exports of a bundle in dist/ that the command line uses. The compiler's bundle also has `codes`, the names of its diagnostics.
 * @typedef {object} Wing
 * @property {(argv: readonly string[], codes?: readonly string[]) => Promise<number>} main returns the exit code
 * @property {() => Promise<readonly string[]>} [codes]
 */

/** Commands that often run beside a server on the same machine. They get a lower priority than the server. */
const LOW_PRIORITY = new Set(['backup', 'build', 'release', 'service'])

/** Commands that process a whole site once and exit. Most of their code runs too briefly to be worth an optimization by V8. */
const SHORT_RUNNING = new Set(['build', 'check'])
/**
 * V8 flags for less inlining and later optimization. With them, a check of 1,000 templates uses a third less processor time, and a build a
 * quarter less. With 6,000 templates, neither is slower. A much larger budget makes such sites slower.
 */
const LESS_OPTIMIZATION = '--max-inlined-bytecode-size-cumulative=300 --interrupt-budget=300000'

/** Commands that listen on a port, and that do long work before. */
const LISTENING = new Set(['demo', 'dev'])

const root = new URL('..', import.meta.url)

/**
 * Runs a command.
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main(argv) {
  const [name, ...args] = argv
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
    return refuse(
      `This is Node ${process.versions.node}, but Ingot needs ${OLDEST.major}.${OLDEST.minor} or newer: install a newer Node.`,
    )
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  const { columns } = process.stdout
  if (name === 'help' && args[0] !== undefined) return main([args[0], '--help'])
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(overview(columns))
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const similarName = nearestCommand(name)
    const hint = similarName === null ? 'see `ingot --help`' : `did you mean \`ingot ${similarName}\`?`
    const kind = name.startsWith('-') ? 'option' : 'command'
    return refuse(`Ingot has no ${kind} '${name}': ${hint}`)
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(commandHelp(name, columns))
    return 0
  }
  if (command.wing === 'shell') return printCompletion(args)
  const typo = command.hidden === true ? null : findMisspelledOption(command, args)
  if (typo !== null) return refuse(`\`ingot ${name}\` has no option '${typo.word}': did you mean ${typo.near}?`)
  if (LOW_PRIORITY.has(name)) lowerPriority()
  // Set before anything is loaded: V8 only reuses cached code that was compiled with the same flags.
  if (SHORT_RUNNING.has(name)) setFlagsFromString(LESS_OPTIMIZATION)
  if (LISTENING.has(name)) {
    const { portProblem } = await import('./commands/port.mjs')
    const problem = await portProblem(args, process.env)
    if (problem !== null) return refuse(problem)
  }
  // Only a source checkout has build.mjs. An installed package contains dist/.
  const build = new URL('build.mjs', root)
  if (existsSync(build)) {
    /** @type {typeof import('../build.mjs')} */
    const { prepare } = await import(build.href)
    if (!(await prepare())) return 2
  }
  const wing = await loadWing(command.wing)
  if (wing === null) return 2
  if (name !== 'explain') return wing.main(argv)
  // The compiler explains diagnostics, the server explains queries.
  const compiler = await loadWing('compiler')
  if (compiler === null) return 2
  const codes = (await compiler.codes?.()) ?? []
  const [word] = args
  const isCode = args.length === 1 && word !== undefined && codes.includes(word)
  return isCode ? compiler.main(argv) : wing.main(argv, codes)
}

/**
 * Prints the completion script of a shell.
 * @param {readonly string[]} args
 */
function printCompletion(args) {
  const script = args.length === 1 ? completionScript(args[0] ?? '') : null
  if (script === null) return refuse(`Name your shell: \`ingot completion ${SHELLS.join('|')}\``)
  process.stdout.write(script)
  return 0
}

function lowerPriority() {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without the permission, the command runs at normal priority.
  }
}

/**
 * Returns the first unknown option that resembles a known one, with that known option. Returns null when there is none.
 * @param {import('./commands.mjs').Command} command
 * @param {readonly string[]} args
 */
function findMisspelledOption({ options = [], takes, wing }, args) {
  // The server's commands report unknown options themselves.
  if (wing !== 'compiler') return null
  const knownNames = new Set([...options, takes].flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? []))
  const end = args.indexOf('--')
  const givenNames = (end < 0 ? args : args.slice(0, end)).flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
  for (const word of givenNames) {
    const similarName = knownNames.has(word) ? null : nearestOf(word, knownNames)
    if (similarName !== null) return { word, near: similarName }
  }
  return null
}

function version() {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : 'unknown'
}

/**
 * Loads the bundle of a wing. When it is missing, prints a message and returns null.
 * @param {import('./commands.mjs').Command['wing']} name
 * @returns {Promise<Wing | null>}
 */
async function loadWing(name) {
  const wing = new URL(`dist/${name}.mjs`, root)
  if (existsSync(wing)) return import(pathToFileURL(fileURLToPath(wing)).href)
  refuse(`The file '${fileURLToPath(wing)}' of Ingot is missing: install Ingot again.`)
  return null
}

/**
 * Prints why a command cannot run.
 * @param {string} sentence
 * @returns {number} the exit code
 */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`)
  return 2
}

/**
 * Returns the command whose name is nearest to a mistyped word; null when none is near.
 * @param {string} word
 */
function nearestCommand(word) {
  return nearestOf(
    word,
    Object.entries(COMMANDS).flatMap(([name, { hidden }]) => (hidden ? [] : [name])),
  )
}

/**
 * Returns the known word with the smallest edit distance; null when the distance is above 2.
 * @param {string} word
 * @param {Iterable<string>} knownNames
 */
function nearestOf(word, knownNames) {
  const near = [...knownNames].map((name) => ({ name, far: editDistance(word, name) })).sort((a, b) => a.far - b.far)[0]
  return near !== undefined && near.far <= 2 ? near.name : null
}

/**
 * Returns the edit distance (Levenshtein) between two words.
 * @param {string} a
 * @param {string} b
 */
function editDistance(a, b) {
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
 * Ends the command after a write error on its output.
 * @param {NodeJS.WriteStream} stream
 * @param {NodeJS.ErrnoException} error
 */
function exitOnWriteError(stream, error) {
  const reason = error.code === 'ENOSPC' ? 'the disk is full: make room' : error.message
  if (stream === process.stdout) process.stderr.write(`The output cannot be written: ${reason}.\n`)
  process.exit(2)
}

// An empty NO_COLOR counts as not set (no-color.org). The variable is deleted, so that the code below does not need this check.
if (process.env['NO_COLOR'] === '') delete process.env['NO_COLOR']
// EPIPE: the reader closed the pipe (`ingot … | head`). SIGTERM stops servers; other commands end on their own without a message.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') return exitOnWriteError(stream, error)
    if (stream === process.stdout) process.emit('SIGTERM')
  })
process.exitCode = await main(process.argv.slice(2))
