/**
 * A site that is compiled again and again: what was read and found out of it is kept, so that an edit costs what it changes. The watcher
 * and the process that compiles what is deployed are thin adapters on it.
 */
import { inWrittenText } from '../../phases/check/rules/written-places.ts'
import { analysisSteps } from '../../analysis.ts'
import { type Compiled, type CompiledFirst, compileFirst, type CompileOptions } from '../../compile.ts'
import type { ServedAssets } from '../../core/model/asset.ts'
import { Memory } from '../../core/model/memo.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import { Report, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { parse, parseConfig } from '../../phases/parse/parse.ts'
import { byDeployOrder, discover, type DiscoveredSite, readSource } from '../../core/source/discover.ts'
import { siteOptions } from '../site-options.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Errors beside those of reading that a file tells by itself. */
const TOLD_ALONE: ReadonlySet<string> = new Set(['graphql-syntax', 'unknown-filter', 'unknown-tag', 'unreadable-file'])

/** As `compile` reads files of a site, so that what is read once is not read again. */
const PARSING = { dialect: 'platform', syntax: 'lax', readOn: false } as const

function keyOf({ code, span: { file, start, end }, message }: Diagnostic): string {
  return [code, file, start, end, message].join('\0')
}

/** What of a compilation is for its caller to say. */
export type SessionOptions = Pick<CompileOptions, 'keepGoing' | 'checkedFiles'>

export class SiteSession {
  #root: string
  readonly #kept: 1 | 2
  #memo: Memory
  #site: DiscoveredSite | null = null
  readonly #changed = new Set<string>()
  /** How often all of the folder was to be read again. */
  #forgotten = 0
  /** Called with the folders of the site whenever all of it is read. */
  onRoots: (roots: readonly string[]) => void = () => undefined

  /** @param kept what is remembered of each template: what it was before its last change, too, or only what it is */
  constructor(root: string, kept: 1 | 2 = 2) {
    this.#root = root
    this.#kept = kept
    this.#memo = new Memory(kept)
  }

  get root(): string {
    return this.#root
  }

  /** The site as it was read last; null where it has to be read anew. */
  get site(): DiscoveredSite | null {
    return this.#site
  }

  /** Goes on with another folder. What stands in both costs nothing again. */
  moveTo(root: string): void {
    this.#root = root
    this.#changed.clear()
    this.forget()
  }

  /** A file of the site was written, is new, or is gone. */
  changed(path: string): void {
    this.#changed.add(path)
  }

  /** All of the folder is read again, also where it is being read now. */
  forget(): void {
    this.#site = null
    this.#forgotten++
  }

  /** Begins anew, after a compilation that was broken off. */
  forgetAll(): void {
    this.forget()
    this.#memo = new Memory(this.#kept)
  }

  /** Reads what has changed: single files where they are such alone, else all of the folder. */
  async read(): Promise<DiscoveredSite> {
    const changed = [...this.#changed]
    this.#changed.clear()
    if (this.#site === null || this.#site.problems.length > 0) return this.#readAll()
    const known = this.#site
    const forgotten = this.#forgotten
    const files = [...known.files]
    const assets = [...known.assets]
    for (const path of changed) {
      const read = readSource(this.#root, path, known.siteRoot)
      const at = files.findIndex((file) => file.path === path)
      const asset = assets.findIndex((each) => each.path === path)
      if (read.kind === 'file' && (at >= 0 || read.asset === null)) {
        if (at >= 0) files[at] = read.file
        else files.splice(placeOf(files, path), 0, read.file)
        if (read.asset !== null && asset >= 0) assets[asset] = read.asset
      } else if (read.kind === 'none' && at >= 0 && asset < 0) files.splice(at, 1)
      // Assets that are new or gone, and what is left out, are also listed apart.
      else return this.#readAll()
    }
    return this.#keep({ ...known, files, assets }, forgotten)
  }

  /**
   * Reads files that the folder is about to have: what each tells by itself is known then when they are compiled.
   * @param files those of the configuration among them, which decides how templates are read
   */
  readAhead(files: readonly SourceFile[]): void {
    const report = new Report()
    parse(files, parseConfig(files, report, this.#memo), PARSING, report, this.#memo)
  }

  /** Compiles for slots, from which modules are taken out one by one. */
  compile(site: DiscoveredSite, assets: ServedAssets, options: SessionOptions): Compiled {
    const { compiled, advise } = this.compileFirst(site, assets, options)
    return { ...compiled, diagnostics: runSteps(advise()) }
  }

  /** As `compile`, for whoever has use for the modules before all warnings are found. */
  compileFirst(site: DiscoveredSite, assets: ServedAssets, { keepGoing, checkedFiles }: SessionOptions): CompiledFirst {
    return compileFirst(
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

  /** Finds all that is to be said of the site, by file and place. It goes on from what compilations meanwhile have found out. */
  *diagnosisSteps(site: DiscoveredSite): Steps<readonly Diagnostic[]> {
    return (yield* analysisSteps(site.files, siteOptions(site), this.#memo)).diagnostics
  }

  /**
   * The errors that files tell by themselves, whatever else the site holds: those stop an edit. A file that names what is not there yet
   * may come before it.
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
    const told = inWrittenText(report.all, own)
    const alone = new Set(told.map(keyOf))
    return diagnostics.filter(
      (each) =>
        each.severity !== 'info' &&
        paths.includes(each.span.file) &&
        (TOLD_ALONE.has(each.code) || alone.has(keyOf(each))) &&
        (each.severity === 'error' || told.some((one) => one.severity === 'error' && keyOf(one) === keyOf(each))),
    )
  }

  async #readAll(): Promise<DiscoveredSite> {
    const forgotten = this.#forgotten
    const site = await discover(this.#root)
    this.onRoots(site.siteRoot.roots)
    return this.#keep(site, forgotten)
  }

  /** What was read is known from here on, unless the folder changed meanwhile. */
  #keep(site: DiscoveredSite, forgotten: number): DiscoveredSite {
    this.#site = this.#forgotten === forgotten ? site : null
    return site
  }
}

/** Where a new file stands among the others. */
function placeOf(files: readonly SourceFile[], path: string): number {
  const after = files.findIndex((each) => byDeployOrder(each.path, path) > 0)
  return after < 0 ? files.length : after
}
