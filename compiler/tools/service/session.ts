/**
 * A site that is compiled repeatedly. Earlier results are kept, so that an edit only repeats the work it affects. The watcher and the
 * deploy service are thin adapters on it.
 */
import { inWrittenText } from '../../phases/check/written-places.ts'
import { analysisSteps } from '../../analysis.ts'
import { type Compiled, type EarlyCompilation, compileEarly, type CompileOptions } from '../../compile.ts'
import type { ServedAssets } from '../../core/model/asset.ts'
import { KeptTrees } from '../../core/model/kept-trees.ts'
import { Memory } from '../../core/model/memo.ts'
import { type Records, StoredMemory } from '../../core/model/stored-memory.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import { Report, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { parse, parseConfig } from '../../phases/parse/parse.ts'
import { byDeployOrder, discover, type DiscoveredSite, readSource } from '../../core/source/discover.ts'
import { siteOptions } from '../site-options.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Errors that a single file determines, in addition to parse errors. */
const SINGLE_FILE_CODES: ReadonlySet<string> = new Set([
  'graphql-syntax',
  'unknown-filter',
  'unknown-tag',
  'unreadable-file',
])

/** The same parse options as in `compile`, so that parse results are shared. */
const PARSING = { dialect: 'platform', syntax: 'lax', readOn: false } as const

function diagnosticKey({ code, span: { file, start, end }, message }: Diagnostic): string {
  return [code, file, start, end, message].join('\0')
}

/** Options of a compilation that the caller chooses. */
type SessionOptions = Pick<CompileOptions, 'keepGoing' | 'checkedFiles'>

export class SiteSession {
  #root: string
  readonly #kept: 1 | 2
  #memo: Memory
  #site: DiscoveredSite | null = null
  readonly #changed = new Set<string>()
  /** Number of times a full read of the folder was requested. */
  #fullReads = 0
  /** Called with the folders of the site after each full read. */
  onRoots: (roots: readonly string[]) => void = () => undefined

  /** @param keptVersions number of versions kept per template: 1 for the current one, 2 for the previous one, too */
  constructor(root: string, keptVersions: 1 | 2 = 2) {
    this.#root = root
    this.#kept = keptVersions
    this.#memo = new Memory(keptVersions)
  }

  get root(): string {
    return this.#root
  }

  /** Continues with what earlier processes have derived. Returns the memory, which can be stored for later ones. */
  continueFrom(records: Records): StoredMemory {
    const memory = new StoredMemory(this.#kept, new KeptTrees(), records)
    this.#memo = memory
    return memory
  }

  /** The site as last read; null if it must be read again. */
  get site(): DiscoveredSite | null {
    return this.#site
  }

  /** Switches to another folder. Files that both contain are not compiled again. */
  moveTo(root: string): void {
    this.#root = root
    this.#changed.clear()
    this.forget()
  }

  /** Records that a file was written, added or removed. */
  changed(path: string): void {
    this.#changed.add(path)
  }

  /** Requests a full read of the folder, even if one is running. */
  forget(): void {
    this.#site = null
    this.#fullReads++
  }

  /** Drops all state after an aborted compilation. */
  forgetAll(): void {
    this.forget()
    this.#memo = new Memory(this.#kept)
  }

  /** Reads the changed files if only plain files changed, otherwise the whole folder. */
  async read(): Promise<DiscoveredSite> {
    const changed = [...this.#changed]
    this.#changed.clear()
    if (this.#site === null || this.#site.problems.length > 0) return this.#readAll()
    const known = this.#site
    const fullReads = this.#fullReads
    const files = [...known.files]
    const assets = [...known.assets]
    for (const path of changed) {
      const read = readSource(this.#root, path, known.siteRoot)
      const at = files.findIndex((file) => file.path === path)
      const asset = assets.findIndex((each) => each.path === path)
      if (read.kind === 'file' && (at >= 0 || read.asset === null)) {
        if (at >= 0) files[at] = read.file
        else files.splice(insertionIndex(files, path), 0, read.file)
        if (read.asset !== null && asset >= 0) assets[asset] = read.asset
      } else if (read.kind === 'none' && at >= 0 && asset < 0) files.splice(at, 1)
      // Added or removed assets and ignored files are listed separately, so they need a full read.
      else return this.#readAll()
    }
    return this.#keep({ ...known, files, assets }, fullReads)
  }

  /**
   * Parses files before they are written to the folder, so that their results are ready when they are compiled.
   * @param files must include the configuration, which decides how templates are parsed
   */
  readAhead(files: readonly SourceFile[]): void {
    const report = new Report()
    parse(files, parseConfig(files, report, this.#memo), PARSING, report, this.#memo)
  }

  /** Compiles modules that can be replaced one by one. */
  compile(site: DiscoveredSite, assets: ServedAssets, options: SessionOptions): Compiled {
    const { compiledSite, checkWarnings } = this.compileEarly(site, assets, options)
    return { ...compiledSite, diagnostics: runSteps(checkWarnings()) }
  }

  /** Like `compile`, for callers that need the modules before all warnings are found. */
  compileEarly(
    site: DiscoveredSite,
    assets: ServedAssets,
    { keepGoing, checkedFiles }: SessionOptions,
  ): EarlyCompilation {
    return compileEarly(
      site.files,
      {
        ...siteOptions(site),
        keepGoing,
        printAs: 'javascript',
        assets,
        ...(checkedFiles !== undefined && { checkedFiles }),
      },
      this.#memo,
    )
  }

  /** Finds all diagnostics of the site, sorted by file and position. It reuses the results of compilations that ran meanwhile. */
  *diagnosisSteps(site: DiscoveredSite): Steps<readonly Diagnostic[]> {
    return (yield* analysisSteps(site.files, siteOptions(site), this.#memo)).diagnostics
  }

  /**
   * Returns the errors that are in the files themselves. An edit with such errors is refused. References to missing files do not count,
   * because those files may be written later.
   * @param diagnostics of the last compilation
   */
  ownErrors(
    { files }: DiscoveredSite,
    paths: readonly string[],
    diagnostics: readonly Diagnostic[],
  ): readonly Diagnostic[] {
    const report = new Report()
    const config = parseConfig(files, report, this.#memo)
    const own = files.filter(({ path }) => paths.includes(path))
    parse(own, config, PARSING, report, this.#memo)
    const reported = inWrittenText(report.diagnostics, own)
    const alone = new Set(reported.map(diagnosticKey))
    return diagnostics.filter(
      (each) =>
        each.severity !== 'info' &&
        paths.includes(each.span.file) &&
        (SINGLE_FILE_CODES.has(each.code) || alone.has(diagnosticKey(each))) &&
        (each.severity === 'error' ||
          reported.some((one) => one.severity === 'error' && diagnosticKey(one) === diagnosticKey(each))),
    )
  }

  async #readAll(): Promise<DiscoveredSite> {
    const fullReads = this.#fullReads
    const site = await discover(this.#root)
    this.onRoots(site.siteRoot.roots)
    return this.#keep(site, fullReads)
  }

  /** Stores the read site, unless the folder changed meanwhile. */
  #keep(site: DiscoveredSite, fullReads: number): DiscoveredSite {
    this.#site = this.#fullReads === fullReads ? site : null
    return site
  }
}

/** Returns the index for a new file in the sorted list. */
function insertionIndex(files: readonly SourceFile[], path: string): number {
  const after = files.findIndex((each) => byDeployOrder(each.path, path) > 0)
  return after < 0 ? files.length : after
}
