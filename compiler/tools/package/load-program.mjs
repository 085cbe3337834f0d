// Loads a program of the product from its script, with the code that the engine has made of it in an earlier process. Built into
// dist/, as `dist/load-program.mjs`; a program's script is called `dist/programs/NAME.cjs`.
//
// The code is kept in the user's folder for what can be made again, or that of the service. A file of it is for one text of a script (its
// digest), one engine with its flags and its processor (`v8.cachedDataVersionTag`), and one command, since it holds the functions that
// were called. The engine believes what is in it, so a folder that others may write to is not read.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

/** Milliseconds after which a program has called what it calls at its start. */
const STARTED = 4_000
/** Milliseconds after which code of the same program that this one does not run is thrown away. */
const KEPT = 24 * 60 * 60 * 1000

/** Programs that a command of the command line runs in: their names are not more than there are commands. */
const COMMANDED = new Set(['compiler', 'server'])

/** The engine and its flags when the program starts. */
const TAG = cachedDataVersionTag()

const folder = fileURLToPath(new URL('programs/', import.meta.url))
const outside = createRequire(import.meta.url)
/** What the scripts take for the address of their module. */
const url = import.meta.url

/**
 * @typedef {Record<string, unknown>} Exports
 * @typedef {(exports: Exports, require: (id: string) => unknown, module: { exports: Exports }, $import: (id: string) => Promise<unknown>, $url: string) => void} Wrapped
 */

/**
 * Loads it, once in a thread.
 * @param {string} name
 * @param {Readonly<Record<string, string>>} homes names of scripts that hold several parts, by these; any other part is a script by itself
 * @returns {Exports | undefined} its exports
 */
export function loadProgram(name, homes) {
  const code = new KeptCode(name)
  /** @type {Map<string, Exports>} exports of its parts, by what they are imported as */
  const loaded = new Map()

  /** @param {string} id */
  const load = (id) => {
    const known = loaded.get(id)
    if (known !== undefined) return known
    const module = { exports: /** @type {Exports} */ ({}) }
    const part = /** @type {string} */ (/^\.\/([\w-]+)\.mjs$/.exec(id)?.[1])
    const script = code.scriptOf(Object.hasOwn(homes, part) ? /** @type {string} */ (homes[part]) : part)
    /** @type {Wrapped} */
    const run = script.runInThisContext()
    run(module.exports, require, module, later, url)
    for (const [part, exports] of Object.entries(module.exports['parts'] ?? {})) loaded.set(part, exports)
    return loaded.get(id)
  }
  const require = Object.assign((/** @type {string} */ id) => (isOwn(id) ? load(id) : outside(id)), {
    resolve: outside.resolve,
  })
  const later = async (/** @type {string} */ id) => (isOwn(id) ? load(id) : import(id))
  const exports = load(`./${name}.mjs`)
  code.keepLater()
  return exports
}

/**
 * Whether it is a part of the programs; what is outside has the name of a package, or a whole address.
 * @param {string} id
 */
const isOwn = (id) => id.startsWith('./') && id.endsWith('.mjs')

/** The code of one program's scripts. */
class KeptCode {
  #program
  /** @type {Readonly<Record<string, string>>} */
  #digests = JSON.parse(readFileSync(join(folder, 'digests.json'), 'utf8'))
  #place = placeOfCode()
  /** @type {Set<string>} */
  #files = new Set()
  /** @type {Map<string, Script>} scripts of which no code was found */
  #missing = new Map()

  /** @param {string} program */
  constructor(program) {
    this.#program = COMMANDED.has(program) ? `${program}-${process.argv[2]}` : program
  }

  /** @param {string} name */
  scriptOf(name) {
    const filename = join(folder, `${name}.cjs`)
    const file = this.#fileOf(name)
    const cachedData = this.#read(file)
    const script = new Script(
      // On the first line, so that the others keep their numbers.
      `(function (exports, require, module, $import, $url) {${readFileSync(filename, 'latin1')}\n})`,
      { filename, cachedData },
    )
    if (cachedData === undefined || script.cachedDataRejected === true) this.#missing.set(file, script)
    return script
  }

  /** Keeps what was missing, when the program has started or ends. */
  keepLater() {
    setTimeout(() => this.#keep(), STARTED).unref()
    process.once('exit', () => this.#keep())
  }

  /** @param {string} name */
  #fileOf(name) {
    return `${this.#program}-${name}-${this.#digests[name]}`
  }

  /** @param {string} file */
  #read(file) {
    this.#files.add(file)
    try {
      return this.#place === null ? undefined : readFileSync(join(this.#place, file))
    } catch {
      return undefined
    }
  }

  #keep() {
    const setBack = startFlags()
    this.#keepNow()
    setBack()
  }

  #keepNow() {
    const missing = [...this.#missing]
    this.#missing.clear()
    // Of other flags than when it started, no process that starts like it would take it.
    if (missing.length === 0 || this.#place === null || cachedDataVersionTag() !== TAG) return
    try {
      mkdirSync(this.#place, { recursive: true, mode: 0o700 })
      for (const [file, script] of missing) writeWhole(join(this.#place, file), script.createCachedData())
      this.#forget(this.#place)
    } catch {
      // The next process compiles again.
    }
  }

  /**
   * Removes the code of scripts that have been replaced.
   * @param {string} place
   */
  #forget(place) {
    for (const file of readdirSync(place)) {
      if (!file.startsWith(`${this.#program}-`) || this.#files.has(file)) continue
      const path = join(place, file)
      if (Date.now() - statSync(path).mtimeMs > KEPT) rmSync(path, { force: true })
    }
  }
}

/**
 * Puts the engine's flags to what they were at the start, where the program has said how: code is kept for processes with those.
 * @returns {() => void} what puts them back
 */
function startFlags() {
  const given = /** @type {{ [name: symbol]: (() => () => void) | undefined }} */ (globalThis)
  return given[Symbol.for('ingot.startFlags')]?.() ?? (() => {})
}

/** The folder for the code of this engine; null where there is none that is ours alone. */
function placeOfCode() {
  // systemd names the first variable, of one folder or several.
  const { CACHE_DIRECTORY: ofService, XDG_CACHE_HOME: ofUser } = process.env
  const given = [ofService?.split(':')[0], ofUser].find((one) => one !== undefined && isAbsolute(one))
  try {
    const cache = join(given ?? join(homedir(), '.cache'), 'ingot')
    return isOurs(cache) ? join(cache, `code-${process.version}-${TAG.toString(16)}`) : null
  } catch {
    // A user who is in no list has no home.
    return null
  }
}

/**
 * Whether nobody else can write to a folder, or to where it would be made.
 * @param {string} place
 */
function isOurs(place) {
  const me = process.getuid?.()
  if (me === undefined) return true
  for (let at = place; ; at = join(at, '..')) {
    try {
      const { uid, mode } = statSync(at)
      return (uid === me || uid === 0) && (mode & 0o022) === 0
    } catch {
      if (at === join(at, '..')) return false
    }
  }
}

/**
 * Writes a file that is there whole, or not at all, whatever ends the process or the machine.
 * @param {string} file
 * @param {Uint8Array} bytes
 */
function writeWhole(file, bytes) {
  const draft = `${file}.${process.pid}`
  const opened = openSync(draft, 'w', 0o600)
  try {
    writeSync(opened, bytes)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(draft, file)
}
