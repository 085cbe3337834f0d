// Loads a program from its script, with V8's code cache from an earlier process. In dist/ it is `dist/load-program.mjs`; the script of a
// program is `dist/programs/NAME.cjs`.
//
// The cache is in the cache folder of the user or of the systemd service. A cache file is valid for one script (its digest), one engine
// with its flags and processor (`v8.cachedDataVersionTag`), and one command, because it contains the functions that were called. V8 does
// not verify its contents, so a folder that others can write to is not used.
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
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { userCache } from '../cache/user-cache.mjs'

/** Milliseconds after which a program has called its startup functions. */
const STARTUP_TIME = 4_000
/** Milliseconds after which cached code of the same program that this process does not use is deleted. */
const MAX_UNUSED_AGE = 24 * 60 * 60 * 1000

/** Programs that command-line commands run in. The number of cache files is limited by the number of commands. */
const COMMAND_PROGRAMS = new Set(['compiler', 'server'])

/** The engine and its flags when the program starts. */
const TAG = cachedDataVersionTag()

const folder = fileURLToPath(new URL('programs/', import.meta.url))
const requireExternal = createRequire(import.meta.url)
/** The value of `import.meta.url` in scripts. */
const url = import.meta.url

/**
 * @typedef {Record<string, unknown>} Exports
 * @typedef {(exports: Exports, require: (id: string) => unknown, module: { exports: Exports }, $import: (id: string) => Promise<unknown>, $url: string) => void} Wrapped
 */

/**
 * Loads a program, once per thread.
 * @param {string} name
 * @param {Readonly<Record<string, string>>} homes the script of each part that is in a script with other parts; any other part is a
 * separate script
 * @returns {Exports | undefined} its exports
 */
export function loadProgram(name, homes) {
  const code = new CodeCache(name)
  /** @type {Map<string, Exports>} exports of the loaded parts, by import name */
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
  const require = Object.assign((/** @type {string} */ id) => (isOwn(id) ? load(id) : requireExternal(id)), {
    resolve: requireExternal.resolve,
  })
  const later = async (/** @type {string} */ id) => (isOwn(id) ? load(id) : import(id))
  const exports = load(`./${name}.mjs`)
  code.scheduleWrite()
  return exports
}

/** Returns true for a part of the programs. Other ids are package names or full URLs. @param {string} id */
const isOwn = (id) => id.startsWith('./') && id.endsWith('.mjs')

/** The cached code of one program's scripts. */
class CodeCache {
  #program
  /** @type {Readonly<Record<string, string>>} */
  #digests = JSON.parse(readFileSync(join(folder, 'digests.json'), 'utf8'))
  #place = cacheFolder()
  /** @type {Set<string>} */
  #files = new Set()
  /** @type {Map<string, Script>} scripts without cached code */
  #missing = new Map()

  /** @param {string} program */
  constructor(program) {
    this.#program = COMMAND_PROGRAMS.has(program) ? `${program}-${process.argv[2]}` : program
  }

  /** @param {string} name */
  scriptOf(name) {
    const filename = join(folder, `${name}.cjs`)
    const file = this.#fileOf(name)
    const cachedData = this.#read(file)
    const script = new Script(
      // On the first line, so that line numbers do not change.
      `(function (exports, require, module, $import, $url) {${readFileSync(filename, 'latin1')}\n})`,
      { filename, cachedData },
    )
    if (cachedData === undefined || script.cachedDataRejected === true) this.#missing.set(file, script)
    return script
  }

  /** Writes missing cache files after the program has started, or when it ends. */
  scheduleWrite() {
    setTimeout(() => this.#keep(), STARTUP_TIME).unref()
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
    const restoreFlags = startFlags()
    this.#keepNow()
    restoreFlags()
  }

  #keepNow() {
    const missing = [...this.#missing]
    this.#missing.clear()
    // Cached code that is written with changed flags would be rejected by the next process.
    if (missing.length === 0 || this.#place === null || cachedDataVersionTag() !== TAG) return
    try {
      mkdirSync(this.#place, { recursive: true, mode: 0o700 })
      for (const [file, script] of missing) writeAtomically(join(this.#place, file), script.createCachedData())
      this.#forget(this.#place)
    } catch {
      // On an error the next process compiles again.
    }
  }

  /** Deletes the cached code of replaced scripts. @param {string} place */
  #forget(place) {
    for (const file of readdirSync(place)) {
      if (!file.startsWith(`${this.#program}-`) || this.#files.has(file)) continue
      const path = join(place, file)
      if (Date.now() - statSync(path).mtimeMs > MAX_UNUSED_AGE) rmSync(path, { force: true })
    }
  }
}

/**
 * Restores the engine's flags of the start, if the program has registered how, because cached code is valid for those.
 * @returns {() => void} sets the current flags again
 */
function startFlags() {
  const given = /** @type {{ [name: symbol]: (() => () => void) | undefined }} */ (globalThis)
  return given[Symbol.for('ingot.startFlags')]?.() ?? (() => {})
}

/** Returns the cache folder for this engine; null if no private folder is available. */
function cacheFolder() {
  const cache = userCache()
  return cache === null ? null : join(cache, `code-${process.version}-${TAG.toString(16)}`)
}

/**
 * Writes a file atomically, even if the process or the machine stops.
 * @param {string} file
 * @param {Uint8Array} bytes
 */
function writeAtomically(file, bytes) {
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
