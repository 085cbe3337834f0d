/**
 * What was found in a site, kept in its folder for the next process: where nothing of the site has changed, it need not be looked at again.
 * A file of it is named by all that findings depend on: the compiler, its options, and the texts of the site.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { AnalysisOptions } from './analysis.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import type { SourceFile } from './source/file.ts'

/** Below the folder of a site. */
const FOLDER = '.ingot/cache'
/** How a file of it is called. */
const NAME = /^findings-[0-9a-f]{32}\.json$/
/** Of these the newest are kept: a site is checked on several branches. */
const MOST_FILES = 8
/** Files of a site from which on its findings are kept: those of fewer are found before anybody waits. */
const WORTH_KEEPING = 200
/** Bytes of a file of findings, above which it is not written. */
const MOST_BYTES = 8_000_000

const span = z.looseObject({ file: z.string(), start: z.number(), end: z.number() })
const finding = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  check: z.string(),
  message: z.string(),
  span,
  related: z.array(z.looseObject({ span, message: z.string() })),
})
const content = z.object({ findings: z.array(finding) })

export class KeptFindings {
  readonly #folder: string
  readonly #compiler: string | null
  readonly #least: number

  /**
   * @param root the folder of the site
   * @param compiler stands for the text of the compiler; null where nobody knows it, as when it runs from its sources: nothing is kept
   * @param least files of a site from which on its findings are kept
   */
  constructor(root: string, compiler: string | null = compilerDigest(), least: number = WORTH_KEEPING) {
    this.#least = least
    this.#folder = join(root, FOLDER)
    this.#compiler = compiler
  }

  /** What was found in these files; null where they were not looked at, or what was kept cannot be read. */
  read(files: readonly SourceFile[], options: AnalysisOptions): readonly Diagnostic[] | null {
    const name = this.#nameFor(files, options)
    if (name === null) return null
    try {
      return content.parse(JSON.parse(readFileSync(join(this.#folder, name), 'utf8'))).findings as readonly Diagnostic[]
    } catch {
      // It is not there, or was cut off: the site is looked at.
      return null
    }
  }

  /** Keeps what was found. What cannot be written is found again. */
  write(files: readonly SourceFile[], options: AnalysisOptions, findings: readonly Diagnostic[]): void {
    const name = this.#nameFor(files, options)
    const text = JSON.stringify({ findings })
    if (name === null || text.length > MOST_BYTES) return
    try {
      mkdirSync(this.#folder, { recursive: true })
      writeFileSync(join(this.#folder, '.gitignore'), '*\n')
      // Another process may write the same one: each has a draft of its own, and the last to finish is as good as the first.
      const draft = join(this.#folder, `${name}.${process.pid}.tmp`)
      writeFileSync(draft, text)
      renameSync(draft, join(this.#folder, name))
      this.#prune()
    } catch {
      // The folder may be one that only others write to, or the disk is full.
    }
  }

  #prune(): void {
    const files = readdirSync(this.#folder).filter((name) => NAME.test(name))
    if (files.length <= MOST_FILES) return
    const aged = files.map((name) => ({ name, at: statSync(join(this.#folder, name)).mtimeMs }))
    for (const { name } of aged.toSorted((a, b) => b.at - a.at).slice(MOST_FILES))
      rmSync(join(this.#folder, name), { force: true })
  }

  #nameFor(files: readonly SourceFile[], options: AnalysisOptions): string | null {
    const { language, globals, checkedFiles } = options
    const isOrdinary = language === undefined && globals === undefined && checkedFiles === undefined
    if (files.length < this.#least || this.#compiler === null || !isOrdinary) return null
    const digest = createHash('sha256')
    digest.update(JSON.stringify([this.#compiler, identityOf(options)], withEntries))
    for (const { text, ...file } of files) {
      // Lengths keep apart what one text ends with and the next begins with.
      digest.update(`\n${JSON.stringify(file, withEntries)}\n${text.length}\n`)
      digest.update(text)
    }
    return `findings-${digest.digest('hex').slice(0, 32)}.json`
  }
}

/** All of the options that findings depend on, where nothing is added to the language: whoever compiles has others besides. */
function identityOf(options: AnalysisOptions): readonly unknown[] {
  const { dialect, syntax, raise, openEntries, strictVariables, strictFilters, scored, takesHosted, format } = options
  const { globalsAreAll, ignored, requiredModules } = options
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
    ...[ignored ?? [], requiredModules ?? []],
  ]
}

/** Maps and sets have no text of their own. */
function withEntries(_key: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/** Of the programs of this build, or of the one file that an extension brings; null where the compiler runs from its sources. */
function compilerDigest(): string | null {
  const texts = ['programs/digests.json', ...(import.meta.url.endsWith('.mjs') ? [import.meta.url] : [])]
  for (const text of texts) {
    try {
      return createHash('sha256')
        .update(readFileSync(new URL(text, import.meta.url)))
        .digest('hex')
    } catch {
      // Each kind of build has one of the two.
    }
  }
  return null
}
