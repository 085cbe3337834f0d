/**
 * A site with unsaved texts. Analysis results are kept, so that an edit only repeats the work it affects. Editors and agents get all their
 * diagnostics from here.
 */
import {
  analyseFile,
  type Analysis,
  type AnalysisOptions,
  analysisSteps,
  type FileAnalysis,
  earlyErrorSteps,
} from '../../analysis.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { analyseChange, type ChangeAnalysis } from '../../change.ts'
import type { Observer } from '../../phases/check/check.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { FindingsCache } from '../cache/findings-cache.ts'
import { KeptTrees } from '../../core/model/kept-trees.ts'
import { StoredMemory } from '../../core/model/stored-memory.ts'
import type { RecordFile } from '../cache/records.ts'
import { answerCacheRequests } from '../cache/running-compilers.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { siteOptions } from '../site-options.ts'
import type { SourceFile } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { createSpanMover, type SpanMover } from './span-mover.ts'
import { SiteSession } from './session.ts'
import { selectReachable } from './reachable-files.ts'
import { runInSlices } from '../../core/model/slices.ts'
import { UnsavedTexts } from './unsaved-texts.ts'
import { groupBy } from '../../core/source/maps.ts'

const BEFORE_READING = { dialect: 'platform', syntax: 'lax', openEntries: false } as const

/** Milliseconds without an edit before the whole site is analysed again. */
const IDLE = 40

/** Milliseconds without an edit before results are written for the next process. */
const IDLE_BEFORE_CACHING = 2_000

/** The results of one analysis of the whole site. */
export interface SiteAnalysis {
  readonly analysis: Analysis
  readonly files: ReadonlyMap<string, SourceFile>
  /** All diagnostics, by the path of their file. */
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>
}

/** The state from which an edit of a file is analysed. */
interface Baseline {
  readonly text: string
  /** Diagnostics of the file that depend on other files. */
  readonly fromElsewhere: readonly Diagnostic[]
}

interface WorkspaceEvents {
  /** The current diagnostics of a file. Their positions refer to `text`. */
  diagnosed(path: string, diagnostics: readonly Diagnostic[], text: string): void
  /** The analysis of the whole site has finished. */
  settled?(): void
  /** The analysis has failed: a bug in the compiler, or an unreadable folder. */
  failed?(error: unknown): void
}

export class Workspace {
  readonly #session: SiteSession
  readonly #events: WorkspaceEvents
  /** Dropped after each analysis: an edit reads few of them again. */
  readonly #trees = new KeptTrees()
  readonly #keptVersions: 1 | 2
  #memory: StoredMemory | null = null
  /** What earlier processes have derived; null if nothing is kept. */
  #records: RecordFile | null = null
  readonly #unsaved = new UnsavedTexts()
  /** The site on disk. */
  #disk: DiscoveredSite | null = null
  #known: SiteAnalysis | null = null
  readonly #baselines = new Map<string, Baseline>()
  /** The newest analysis of each file that changed since the last site analysis. */
  readonly #fresh = new Map<string, { readonly text: string; readonly file: FileAnalysis }>()
  #running: AbortController | null = null
  #round: Promise<void> = Promise.resolve()
  /** Whether something changed since the last site analysis. */
  #stale = true
  #isClosed = false
  /** The diagnostics last sent for each file, as a key, so that the same diagnostics are not sent twice. */
  readonly #lastSent = new Map<string, string>()

  readonly #findings: FindingsCache
  #keeping: NodeJS.Timeout | undefined
  /** The edited files whose diagnostics are not sent yet. */
  readonly #waiting = new Set<string>()
  #sending: NodeJS.Timeout | undefined
  /** Writes the last results for other processes; null if another process would find different ones. */
  #keep: (() => void) | null = null
  #unlisten: (() => void) | undefined

  /**
   * @param keptVersions number of versions kept per template: 1 for the current one, 2 for the previous one, too
   * @param findings results of earlier processes
   */
  constructor(root: string, events: WorkspaceEvents, keptVersions: 1 | 2 = 1, findings = new FindingsCache(root)) {
    this.#findings = findings
    this.#session = new SiteSession(root, 1)
    this.#keptVersions = keptVersions
    this.#events = events
  }

  get root(): string {
    return this.#session.root
  }

  /** The results of the last analysis of the whole site; null before the first one. */
  get siteAnalysis(): SiteAnalysis | null {
    return this.#known
  }

  /** Returns the current file, with its unsaved text. */
  file(path: string): SourceFile | null {
    return this.#disk === null ? null : this.#unsaved.fileOf(path, this.#disk)
  }

  /** Returns the current text of a file as its author wrote it; undefined for a file outside of the site. */
  writtenText(path: string): string | undefined {
    const file = this.file(path)
    return file?.writtenText?.text ?? file?.text
  }

  /** Returns all current files of the site. */
  files(): readonly SourceFile[] {
    return this.#disk === null ? [] : this.#unsaved.applyTo(this.#disk).files
  }

  /** The site on disk, including the list of images and other assets. */
  get disk(): DiscoveredSite | null {
    return this.#disk
  }

  /** Returns the unsaved text of a file; undefined if it has none. */
  unsaved(path: string): string | undefined {
    return this.#unsaved.get(path)
  }

  /**
   * Call this when a file is opened or edited without being saved.
   * @param text null for a file to be removed
   * @param wait milliseconds until the diagnostics of the file are sent, so that requests about the new text are answered before
   */
  edit(path: string, text: string | null, wait = 0): void {
    if (this.#unsaved.has(path) && (this.#unsaved.get(path) ?? null) === text) return
    this.#unsaved.set(path, text)
    this.#changed(path, wait)
  }

  /** Call this when a file has no unsaved text any more. */
  close(path: string): void {
    if (!this.#unsaved.has(path)) return
    const differs = this.#unsaved.get(path) !== this.#disk?.files.find((each) => each.path === path)?.text
    this.#unsaved.delete(path)
    if (differs) this.#changed(path)
  }

  /** Call this when a file was written, added or removed on disk. */
  noteDiskChange(path: string): void {
    // Builds and cached results in `.ingot` are not site files. Analysing them would write them again, in a loop.
    if (path.startsWith('.ingot/')) return
    this.#session.changed(path)
    this.#stale = true
    this.#restartAnalysis()
  }

  /** Waits until the current state of the whole site is analysed. */
  async settled(): Promise<void> {
    do {
      if (this.#stale && this.#running === null) this.#start(0)
      await this.#round
    } while (this.#stale && !this.#isClosed)
  }

  /** Sends the diagnostics of the edited files that still wait. */
  sendWaiting(): void {
    clearTimeout(this.#sending)
    for (const path of this.#waiting) this.#sendFileDiagnostics(path)
    this.#waiting.clear()
  }

  /** Stops all work. */
  stop(): void {
    this.#isClosed = true
    clearTimeout(this.#sending)
    clearTimeout(this.#keeping)
    this.#unlisten?.()
    this.#running?.abort()
  }

  /** Analyses one file, based on the results for all others. Null before the first site analysis, and for files outside of the site. */
  analyzeFile(path: string, observer: Observer | null = null): FileAnalysis | null {
    const file = this.file(path)
    if (file === null || this.#known === null) return null
    const fresh = this.#fresh.get(path)
    if (observer === null && fresh?.text === file.text) return fresh.file
    const analysis = this.analyzeText(file, observer)
    if (observer === null && analysis !== null && this.#unsaved.has(path))
      this.#fresh.set(path, { text: file.text, file: analysis })
    return analysis
  }

  /** Like `analyzeFile`, for any text of the file. Null before the first site analysis. */
  analyzeText(file: SourceFile, observer: Observer | null): FileAnalysis | null {
    return this.#known === null ? null : analyseFile(this.#known.analysis, file, this.#options(), observer)
  }

  /** Analyses the effect of a change of several files, for these files and those that use them. Null before the first site analysis. */
  analyzeChange(change: ReadonlyMap<string, string | null>): ChangeAnalysis | null {
    if (this.#known === null || this.#disk === null) return null
    const texts = new UnsavedTexts()
    for (const [path, text] of change) texts.set(path, text)
    const after = texts.applyTo(this.#disk).files
    return analyseChange(this.#known.analysis, this.#disk.files, after, this.#options(), this.#memo)
  }

  // ---- one file ---------------------------------------------------------------------------------------------------

  #changed(path: string, wait = 0): void {
    clearTimeout(this.#keeping)
    this.#stale = true
    this.#running?.abort()
    if (wait === 0) this.#sendFileDiagnostics(path)
    else {
      if (this.#waiting.size === 0) this.#sending = setTimeout(() => this.sendWaiting(), wait)
      this.#waiting.add(path)
    }
    this.#restartAnalysis()
  }

  /** Sends the diagnostics of the file itself, and those that depend on other files where the text did not change. */
  #sendFileDiagnostics(path: string): void {
    const file = this.file(path)
    const siteAnalysis = this.#known
    if (file === null || siteAnalysis === null) return
    const baseline = this.#baselineOf(path, siteAnalysis)
    const fileAnalysis = this.analyzeFile(path)
    if (fileAnalysis === null) return
    this.#fresh.set(path, { text: file.text, file: fileAnalysis })
    const text = file.writtenText?.text ?? file.text
    const moveSpan = createSpanMover(baseline.text, text)
    const elsewhere = baseline.fromElsewhere.flatMap((each) => moveDiagnostic(each, moveSpan) ?? [])
    const diagnostics = [...fileAnalysis.diagnostics, ...elsewhere].toSorted((a, b) => a.span.start - b.span.start)
    this.#sendDiagnostics(path, diagnostics, text)
  }

  #baselineOf(path: string, siteAnalysis: SiteAnalysis): Baseline {
    const keptVersions = this.#baselines.get(path)
    if (keptVersions !== undefined) return keptVersions
    const before = siteAnalysis.files.get(path)
    const alone = before === undefined ? null : this.analyzeText(before, null)
    const own = new Set(alone?.diagnostics.map(diagnosticKey))
    const baseline = {
      text: before?.writtenText?.text ?? before?.text ?? '',
      fromElsewhere: (siteAnalysis.diagnostics.get(path) ?? []).filter((each) => !own.has(diagnosticKey(each))),
    }
    this.#baselines.set(path, baseline)
    return baseline
  }

  #sendDiagnostics(path: string, diagnostics: readonly Diagnostic[], text: string): void {
    const key = JSON.stringify([text, diagnostics])
    if (
      this.#lastSent.get(path) === key ||
      (diagnostics.length === 0 && !this.#lastSent.has(path) && !this.#unsaved.has(path))
    )
      return
    if (diagnostics.length === 0 && !this.#unsaved.has(path)) this.#lastSent.delete(path)
    else this.#lastSent.set(path, key)
    this.#events.diagnosed(path, diagnostics, text)
  }

  // ---- the whole site ---------------------------------------------------------------------------------------------

  #options(): AnalysisOptions {
    return this.#disk === null ? BEFORE_READING : siteOptions(this.#disk)
  }

  /** The memory is made when the options are known. */
  get #memo(): StoredMemory {
    if (this.#memory === null) {
      this.#records = this.#findings.records(this.#options())
      this.#memory = new StoredMemory(this.#keptVersions, this.#trees, this.#records)
    }
    return this.#memory
  }

  #restartAnalysis(): void {
    this.#running?.abort()
    if (!this.#isClosed) this.#start(IDLE)
  }

  #start(wait: number): void {
    const controller = new AbortController()
    this.#running = controller
    const before = this.#round
    this.#round = (async () => {
      await before
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      if (!controller.signal.aborted)
        await this.#analyseSite(controller.signal).catch((error: unknown) => {
          this.#stale = false
          this.#events.failed?.(error)
        })
      if (this.#running === controller) this.#running = null
    })()
  }

  async #analyseSite(signal: AbortSignal): Promise<void> {
    this.#disk = await this.#session.read()
    if (signal.aborted) return
    if (this.#known === null) await this.#sendEarlyErrors(signal)
    if (signal.aborted) return
    const { files } = this.#unsaved.applyTo(this.#disk)
    const analysis = await runInSlices(analysisSteps(files, this.#options(), this.#memo), signal)
    if (analysis === null) return
    this.#stale = false
    this.#known = {
      analysis,
      files: new Map(files.map((file) => [file.path, file])),
      diagnostics: groupBy(analysis.diagnostics, ({ span }) => span.file),
    }
    this.#baselines.clear()
    this.#fresh.clear()
    this.#sendAllDiagnostics(this.#known)
    this.#events.settled?.()
    this.#records?.release()
    this.#scheduleCaching(files, analysis.diagnostics)
    await this.#prepareBaselines(this.#known, signal)
    if (signal.aborted) return
    this.#trees.drop()
    // Nothing waits for the records.
    void this.#writeRecords(this.#memo, signal)
  }

  /** Writes the results for the next process, if no unsaved texts influenced them. */
  #scheduleCaching(files: readonly SourceFile[], findings: readonly Diagnostic[]): void {
    clearTimeout(this.#keeping)
    this.#keep = null
    if (!this.#findings.isCacheable(this.#options())) return
    this.#unlisten ??= answerCacheRequests(this.root, async () => {
      await this.settled()
      this.#keep?.()
    })
    const noteDiskChange = new Map(this.#disk?.files.map((file) => [file.path, file.text]))
    if (this.#unsaved.paths().some((path) => this.#unsaved.get(path) !== noteDiskChange.get(path))) return
    this.#keep = () => {
      clearTimeout(this.#keeping)
      this.#findings.write(files, this.#options(), findings)
    }
    this.#keeping = setTimeout(this.#keep, IDLE_BEFORE_CACHING).unref()
  }

  /** Writes what this process has derived once, for the next process, while nothing else is to be done. */
  async #writeRecords(memory: StoredMemory, signal: AbortSignal): Promise<void> {
    const records = this.#records
    if (records === null) return
    await new Promise((resolve) => setTimeout(resolve, IDLE_BEFORE_CACHING).unref())
    if (signal.aborted || this.#isClosed) return
    await runInSlices(records.writeSteps(memory), signal)
    if (!signal.aborted) this.#records = null
  }

  /** Prepares the baselines for edits of open files, one file at a time. */
  async #prepareBaselines(siteAnalysis: SiteAnalysis, signal: AbortSignal): Promise<void> {
    for (const path of this.#unsaved.paths()) {
      await nextTurn()
      if (signal.aborted) return
      this.#baselineOf(path, siteAnalysis)
    }
  }

  #sendAllDiagnostics({ files, diagnostics }: SiteAnalysis): void {
    const textOf = (path: string): string => files.get(path)?.writtenText?.text ?? files.get(path)?.text ?? ''
    for (const [path, own] of diagnostics) this.#sendDiagnostics(path, own, textOf(path))
    for (const path of [...this.#lastSent.keys(), ...this.#unsaved.paths()])
      if (!diagnostics.has(path)) this.#sendDiagnostics(path, [], textOf(path))
  }

  /**
   * Finds some errors of the open files before the whole site is analysed. If an earlier process cached its results for the same site,
   * all of them are sent.
   */
  async #sendEarlyErrors(signal: AbortSignal): Promise<void> {
    const keptVersions = this.#findings.read(this.files(), this.#options())
    for (const path of this.#unsaved.paths()) {
      const file = this.file(path)
      if (file === null) continue
      if (keptVersions !== null) {
        const own = keptVersions.filter(({ span }) => span.file === path)
        this.#sendDiagnostics(path, own, file.writtenText?.text ?? file.text)
        continue
      }
      const files = this.files()
      const named = new Set(selectReachable(file.text, files)).add(file)
      const reached = files.filter((each) => named.has(each))
      const found = await runInSlices(earlyErrorSteps(file, reached, this.#options(), this.#memo), signal)
      if (found === null) return
      this.#sendDiagnostics(path, found, file.writtenText?.text ?? file.text)
    }
  }
}

/** Moves a diagnostic to the current text; null if its span was edited. Spans in other files stay. */
function moveDiagnostic({ change, ...diagnostic }: Diagnostic, moveSpan: SpanMover): Diagnostic | null {
  const moveIfSameFile = (span: Span): Span | null => (span.file === diagnostic.span.file ? moveSpan(span) : span)
  const span = moveIfSameFile(diagnostic.span)
  if (span === null) return null
  const related = diagnostic.related.flatMap((each) => {
    const span = moveIfSameFile(each.span)
    return span === null ? [] : [{ ...each, span }]
  })
  const edits = change?.edits.map((edit) => ({ ...edit, span: moveIfSameFile(edit.span) })) ?? []
  const placed = edits.flatMap((edit) => (edit.span === null ? [] : [{ ...edit, span: edit.span }]))
  const isWhole = change !== undefined && placed.length === edits.length
  return { ...diagnostic, span, related, ...(isWhole && { change: { ...change, edits: placed } }) }
}

/** Returns a key that identifies a diagnostic within its file. */
function diagnosticKey({ code, span, message }: Diagnostic): string {
  return [code, span.start, span.end, message].join('\0')
}
