/**
 * Caches the diagnostics of a site in its folder. If nothing changed, the next process reads them instead of analysing the site again.
 * Each cache file is named by a digest of the compiler, its options, and the texts of the site. Its first line is the signature of the
 * diagnostics. A site from another person may contain a cache, which is not read.
 */
import { createHmac, hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnalysisOptions } from '../../analysis.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { fileStamp } from '../../core/model/stamps.ts'
import { CACHE, createCacheFolder, pruneCache } from './cache-folder.ts'
import { RecordFile } from './records.ts'
import { signingKey } from './signing-key.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Matches the names of cache files. */
const CACHE_FILE_NAME = /^findings-[0-9a-f]{32}\.txt$/
/** Number of cache files to keep, newest first. Several help when a site is checked on several branches. */
const MAX_FILES = 8
/** Maximum size of a cache file in bytes. Larger results are not cached. */
const MAX_BYTES = 8_000_000

export class FindingsCache {
  readonly #root: string
  readonly #folder: string
  readonly #compiler: string | null
  readonly #secret: Buffer | null

  /**
   * @param root the folder of the site
   * @param compiler digest of the compiler's code; null disables the cache, as when the compiler runs from sources
   * @param secret the key with which cache files are signed; null disables the cache
   */
  constructor(
    root: string,
    compiler: string | null = compilerDigest(),
    secret: Buffer | null = compiler === null ? null : signingKey(),
  ) {
    this.#root = root
    this.#folder = join(root, CACHE)
    this.#compiler = compiler
    this.#secret = secret
  }

  /** Returns true if results with these options are cached. For templates outside of a site nothing is cached or written. */
  isCacheable({ dialect, language, globals, checkedFiles }: AnalysisOptions): boolean {
    const isOrdinary = language === undefined && globals === undefined && checkedFiles === undefined
    return this.#compiler !== null && this.#secret !== null && dialect === 'platform' && isOrdinary
  }

  /**
   * Returns what earlier processes have derived about the site with these options; null if nothing is cached. A build derives more than a
   * check, and a check is faster without it, so each has its own records.
   */
  records(options: AnalysisOptions, purpose: 'check' | 'build' | 'dev' = 'check'): RecordFile | null {
    if (!this.isCacheable(options) || this.#secret === null) return null
    const key = JSON.stringify([this.#compiler, purpose, optionsKey(options)], serializeEntries)
    return new RecordFile(this.#root, hash('sha256', key).slice(0, 32), this.#secret)
  }

  /** Returns true if results for these files would be cached but are not. */
  isMissing(files: readonly SourceFile[], options: AnalysisOptions): boolean {
    const name = this.#nameFor(files, options)
    return name !== null && !existsSync(join(this.#folder, name))
  }

  /** Returns the cached diagnostics of these files; null if there are none, or the cache file cannot be read. */
  read(files: readonly SourceFile[], options: AnalysisOptions): readonly Diagnostic[] | null {
    const name = this.#nameFor(files, options)
    if (name === null) return null
    try {
      const text = readFileSync(join(this.#folder, name), 'utf8')
      const end = text.indexOf('\n')
      const findings = text.slice(end + 1)
      // Signed diagnostics were written by the same version of the compiler.
      return text.slice(0, end) === this.#sign(name, findings) ? (JSON.parse(findings) as readonly Diagnostic[]) : null
    } catch {
      // The cache file does not exist, so the site is analysed.
      return null
    }
  }

  /** Caches diagnostics. Write errors are ignored. */
  write(files: readonly SourceFile[], options: AnalysisOptions, findings: readonly Diagnostic[]): void {
    const name = this.#nameFor(files, options)
    const text = JSON.stringify(findings)
    if (name === null || text.length > MAX_BYTES) return
    try {
      createCacheFolder(this.#root)
      // Several processes may write the same contents at once. Each process uses a separate temporary file.
      const draft = join(this.#folder, `${name}.${process.pid}.tmp`)
      writeFileSync(draft, `${this.#sign(name, text)}\n${text}`)
      renameSync(draft, join(this.#folder, name))
      pruneCache(this.#root, CACHE_FILE_NAME, MAX_FILES)
    } catch {
      // The folder may not be writable, or the disk may be full.
    }
  }

  #nameFor(files: readonly SourceFile[], options: AnalysisOptions): string | null {
    if (!this.isCacheable(options)) return null
    const all = [JSON.stringify([this.#compiler, optionsKey(options)], serializeEntries), ...files.map(fileStamp)]
    return `findings-${hash('sha256', all.join('\n')).slice(0, 32)}.txt`
  }

  /** Returns the signature of the contents of a file. */
  #sign(name: string, text: string): string | null {
    return this.#secret && createHmac('sha256', this.#secret).update(name).update(text).digest('hex')
  }
}

/** Returns all options that diagnostics depend on, for a language without additions. Other compiler options do not affect diagnostics. */
function optionsKey(options: AnalysisOptions): readonly unknown[] {
  const { dialect, syntax, raise, openEntries, strictVariables, strictFilters, scored, takesHosted, format } = options
  const { globalsAreAll, ignored, requiredModules, testRuns } = options
  return [
    ...[
      dialect,
      syntax,
      raise,
      openEntries,
      strictVariables,
      strictFilters,
      scored,
      takesHosted,
      format,
      globalsAreAll,
    ],
    ...[ignored ?? [], requiredModules ?? [], testRuns ?? []],
  ]
}

/** Converts maps and sets to JSON values. */
function serializeEntries(_key: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/** Returns a digest of the programs of this build, or of the single file in an extension; null if the compiler runs from sources. */
function compilerDigest(): string | null {
  const texts = ['programs/digests.json', ...(import.meta.url.endsWith('.mjs') ? [import.meta.url] : [])]
  for (const text of texts) {
    try {
      return hash('sha256', readFileSync(new URL(text, import.meta.url)))
    } catch {
      // A build contains only one of the two files.
    }
  }
  return null
}
