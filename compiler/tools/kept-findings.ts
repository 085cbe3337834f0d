/**
 * What was found in a site, kept in its folder for the next process: where nothing of the site has changed, it need not be looked at again.
 * A file of it is named by all that findings depend on: the compiler, its options, and the texts of the site.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { AnalysisOptions } from '../analysis.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { derived } from '../core/model/derived.ts'
import type { SourceFile } from '../core/source/file.ts'

/** What can be made again, below the folder of a site. */
export const CACHE = '.ingot/cache'
/** How a file of it is called. */
const NAME = /^findings-[0-9a-f]{32}\.json$/
/** Of these the newest are kept: a site is checked on several branches. */
const MOST_FILES = 8
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

/** Makes the folder, which no repository takes in. @throws Error where that is not allowed */
export function makeCache(root: string): void {
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(join(root, CACHE, '.gitignore'), '*\n')
}

/** Of one file, with all that findings depend on. Where it was read once, its digest is made once. */
const digestOf = derived(({ text, ...file }: SourceFile) =>
  // What stands before the text holds no line end.
  hash('sha256', `${JSON.stringify(file, withEntries)}\n${text}`),
)

export class KeptFindings {
  readonly #root: string
  readonly #folder: string
  readonly #compiler: string | null

  /**
   * @param root the folder of the site
   * @param compiler stands for the text of the compiler; null where nobody knows it, as when it runs from its sources: nothing is kept
   */
  constructor(root: string, compiler: string | null = compilerDigest()) {
    this.#root = root
    this.#folder = join(root, CACHE)
    this.#compiler = compiler
  }

  /** Whether what is found with such options is kept: nothing is written beside templates that are no site. */
  keeps({ dialect, language, globals, checkedFiles }: AnalysisOptions): boolean {
    const isOrdinary = language === undefined && globals === undefined && checkedFiles === undefined
    return this.#compiler !== null && dialect === 'platform' && isOrdinary
  }

  /** Whether what is found in these files would be kept, and is not. */
  lacks(files: readonly SourceFile[], options: AnalysisOptions): boolean {
    const name = this.#nameFor(files, options)
    return name !== null && !existsSync(join(this.#folder, name))
  }

  /** What was found in these files; null where they were not looked at, or what was kept cannot be read. */
  read(files: readonly SourceFile[], options: AnalysisOptions): readonly Diagnostic[] | null {
    const name = this.#nameFor(files, options)
    if (name === null) return null
    try {
      // The same version of the compiler wrote them. The schema checks only some of the fields.
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
      makeCache(this.#root)
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
    if (!this.keeps(options)) return null
    const all = [JSON.stringify([this.#compiler, identityOf(options)], withEntries), ...files.map(digestOf)]
    return `findings-${hash('sha256', all.join('\n')).slice(0, 32)}.json`
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
      return hash('sha256', readFileSync(new URL(text, import.meta.url)))
    } catch {
      // Each kind of build has one of the two.
    }
  }
  return null
}
