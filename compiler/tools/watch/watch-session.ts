/**
 * Development builds after each save. The changed files are compiled first, so that they are served at once. Then the whole site is
 * checked.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type AssetContent, type LiveAssets, liveAssets } from '../../phases/assets/prepare.ts'
import type { ServedAssets } from '../../core/model/asset.ts'
import { writeAssets } from '../../phases/assets/write.ts'
import type { Module } from '../../core/model/module.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { printDiagnostics, SEVERITIES } from '../../core/diagnostics/print.ts'
import type { StoredMemory } from '../../core/model/stored-memory.ts'
import { FindingsCache } from '../cache/findings-cache.ts'
import type { RecordFile } from '../cache/records.ts'
import { answerCacheRequests } from '../cache/running-compilers.ts'
import { discover, type DiscoveredSite, isAsRead } from '../../core/source/discover.ts'
import { devEntry, devModule } from '../service/live-modules.ts'
import { SiteSession } from '../service/session.ts'
import { runInSlices } from '../../core/model/slices.ts'
import { siteOptions } from '../site-options.ts'
import { writtenTexts } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { type SourcePosition, positionsOf } from '../../phases/emit/source-map.ts'
import { errorsByFile, type FileErrors, problemsOf } from './error-reports.ts'
import { type BuiltState, changedFiles, savedChanges, type SavedChanges } from './saved-changes.ts'

/** Folder of development builds, in the site's folder. */
const OUT = '.ingot/dev'
/**
 * Milliseconds before a saved file is checked again. The watcher drops a change that follows another one of the same file within 50 ms, as
 * when a formatter runs on save.
 */
const RECHECK_DELAY = 120
/** Milliseconds between a build after a save and the check of the whole site. */
const CHECK_DELAY = 100
/** Milliseconds for an editor to finish the steps of one save. */
const SAVE_DELAY = 1
/**
 * Milliseconds before a save that breaks a file is checked again. An editor may have truncated the file first, or may write several files.
 */
const BROKEN_SAVE_DELAY = 50
/** Maximum number of consecutive builds that may fail because a file is missing. The next such failure is reported. */
const MAX_MISSES = 10

/** Milliseconds after a check of the whole site before its results are stored for the next process. */
const STORE_DELAY = 2000

/** Maximum number of errors that a message lists for pages. */
const MAX_SHOWN = 100
const NOTHING_SAVED: SavedChanges = { files: [], assets: [] }

/** Builds a site for development after each change, and reports each build and check on standard output. */
export class WatchSession {
  readonly #root: string
  readonly #session: SiteSession
  #modules = new Map<string, Module>()
  #entry: string | null = null
  /** The last modules built after the entry. */
  readonly #newerModules = new Map<string, { module: string; url: string }>()
  #versions = 0
  #running = false
  #buildAgain = false
  #timer: NodeJS.Timeout | null = null
  #later: NodeJS.Timeout | undefined
  /** Number of consecutive builds that failed because a file was missing. */
  #missed = 0
  /** The site read by the last build, if that build failed afterwards. */
  #broken: DiscoveredSite | null = null
  /** Whether the last save was already checked again. A save that breaks a file is checked again once. */
  #isRechecked = true
  /** Infos of the last check. */
  #remarks: ReadonlySet<string> = new Set()
  /** The last built site; null if the last build failed. */
  #built: DiscoveredSite | null = null
  /** Known errors by file, from the last check and later builds. */
  #errors: ReadonlyMap<string, FileErrors> = new Map()
  /** Whether a file was saved since the start. */
  #isWatched = false
  /** The last build that was reported. */
  #reported: BuiltState | null = null
  /** The current or last build, including its check. */
  #round: Promise<void> = Promise.resolve()
  readonly #findings: FindingsCache
  /** What earlier processes have derived, and the memory that continues with it. Null before the first build, and if nothing is stored. */
  #stored: { readonly records: RecordFile; readonly memory: StoredMemory } | null = null
  /** Caches the last diagnostics. */
  #keep: () => void = () => undefined
  #unlisten: (() => void) | undefined
  /** Aborts the current check. */
  #checking = new AbortController()
  readonly #rechecks = new Map<string, NodeJS.Timeout>()
  readonly #assets: LiveAssets
  /** Names of the written assets. */
  readonly #writtenAssets = new Set<string>()

  constructor(root: string) {
    this.#root = root
    this.#session = new SiteSession(root)
    this.#assets = liveAssets(root)
    this.#findings = new FindingsCache(root)
  }

  close(): void {
    this.#unlisten?.()
  }

  /** Sets the listener that is called with the folders of the site after each full read. */
  onRoots(listener: (roots: readonly string[]) => void): void {
    this.#session.onRoots = listener
  }

  /** Several events of one save cause one build. */
  changed(event: string, path: string): void {
    // The result of the running check would be outdated, and the build should start at once.
    this.#checking.abort()
    const name = relative(this.#root, path).split(sep).join('/')
    this.#isRechecked = false
    this.#isWatched = true
    // A changed file is read alone. Added or removed files require a full read.
    if (event === 'change') this.#session.changed(name)
    else this.#session.forget()
    if (event === 'change' || event === 'add') this.#recheckLater(name)
    this.#buildSoon()
  }

  #buildSoon(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.build()
    }, SAVE_DELAY)
  }

  /** Builds again if the folder differs from what the last build has read. */
  async checkAllFiles(): Promise<void> {
    // The next build reports what cannot be read.
    const now = await discover(this.#root).catch(() => null)
    // A running build reads the folder itself, perhaps too early.
    while (this.#running) await sleep(RECHECK_DELAY)
    const last = this.#session.site
    if (now !== null && last !== null && isSameContent(now, last)) return
    this.#session.forget()
    this.#buildSoon()
  }

  /** Builds again after a delay, if the file then differs from what the last build has read. */
  #recheckLater(name: string): void {
    clearTimeout(this.#rechecks.get(name))
    const recheck = (): void => {
      this.#rechecks.delete(name)
      if (this.#running) return this.#recheckLater(name)
      const site = this.#session.site ?? this.#broken
      if (site === null) return this.#buildSoon()
      // An unreadable file counts as changed, and the next build reports the reason.
      if (isAsRead(this.#root, name, site)) return
      this.#session.changed(name)
      this.#buildSoon()
    }
    this.#rechecks.set(name, setTimeout(recheck, RECHECK_DELAY))
  }

  async build(): Promise<void> {
    if (this.#running) {
      this.#buildAgain = true
      return
    }
    this.#round = this.#buildAndCheck()
    await this.#round
  }

  async #buildAndCheck(): Promise<void> {
    this.#running = true
    this.#checking.abort()
    try {
      do {
        this.#buildAgain = false
        await this.#buildOnce().then(
          () => {
            this.#missed = 0
            this.#broken = null
          },
          (error: unknown) => this.#reportFailure(error),
        )
      } while (this.#buildAgain)
    } finally {
      this.#running = false
    }
    if (this.#built !== null) await this.#check(this.#built).catch((error: unknown) => this.#reportFailure(error))
  }

  /** Checks the whole site, unless another change comes first. */
  async #check(site: DiscoveredSite): Promise<void> {
    this.#checking = new AbortController()
    const { signal } = this.#checking
    // Meanwhile, open pages show the build. The next change aborts the wait, which is then tested by `signal`.
    if (this.#isWatched) await sleep(CHECK_DELAY, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const diagnostics = await runInSlices(this.#session.diagnosisSteps(site), signal)
    if (diagnostics === null) return
    this.#cacheDiagnostics(site, diagnostics)
    void this.#store(signal)
    const texts = writtenTexts(site.files)
    const textOf = (path: string) => texts.get(path)
    const text = printDiagnostics(this.#withoutKnownRemarks(diagnostics), {
      findText: textOf,
      color: true,
      allDiagnostics: diagnostics,
      folded: SEVERITIES,
    })
    this.#errors = errorsByFile(diagnostics, textOf)
    send({ type: 'checked', text, ...this.#errorFields(), ...problemsOf(diagnostics, textOf) })
  }

  /** Stores once what this process has derived, while nothing else is to be done. */
  async #store(signal: AbortSignal): Promise<void> {
    if (this.#stored === null) return
    const { records, memory } = this.#stored
    records.release()
    // An abort ends the wait, which is then tested by `signal`.
    await sleep(STORE_DELAY, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    await runInSlices(records.writeSteps(memory), signal)
    if (!signal.aborted) this.#stored = null
  }

  /** Lets other processes ask for the cached diagnostics. */
  #cacheDiagnostics(site: DiscoveredSite, diagnostics: readonly Diagnostic[]): void {
    const options = siteOptions(site)
    if (!this.#findings.isCacheable(options)) return
    this.#keep = () => this.#findings.write(site.files, options, diagnostics)
    this.#unlisten ??= answerCacheRequests(this.#root, async () => {
      do {
        await sleep(SAVE_DELAY)
        await this.#round
      } while (this.#timer !== null || this.#running)
      this.#keep()
    })
  }

  /**
   * Reports a failed build: a file was removed while it was read, the disk is full, or the compiler has a bug. The next save rebuilds
   * everything.
   */
  #reportFailure(error: unknown): void {
    this.#broken = this.#session.site
    this.#built = null
    this.#stored = null
    this.#session.forgetAll()
    const isFile = error instanceof Error && 'path' in error && 'code' in error
    if (isFile && error.code === 'ENOENT' && this.#missed++ < MAX_MISSES) return this.#buildLater()
    const text = isFile || !(error instanceof Error) ? `${messageOf(error)}.` : `The compiler failed: ${error.stack}`
    send({ type: 'errors', text })
  }

  /** Builds again after a delay, because a file that is being replaced is missing for a moment. */
  #buildLater(): void {
    clearTimeout(this.#later)
    this.#later = setTimeout(() => this.#buildSoon(), RECHECK_DELAY)
  }

  async #buildOnce(): Promise<void> {
    const startedAt = performance.now()
    const site = await this.#session.read()
    if (site.problems.length > 0) {
      this.#built = null
      return send({
        type: 'errors',
        text: site.problems.map(({ path, message }) => `'${path}': ${message}.`).join('\n'),
      })
    }
    if (this.#reported === null && this.#stored === null) {
      const records = this.#findings.records(siteOptions(site), 'dev')
      if (records !== null) this.#stored = { records, memory: this.#session.continueFrom(records) }
    }
    const assets = await this.#assets.prepare(site)
    this.#sendAssets(site, assets.served)
    // At run time, code with an error fails when it is reached, so the rest of the site works.
    const checkedFiles = this.#built === null ? new Set<string>() : changedFiles(this.#built, site)
    const { modules, diagnostics } = this.#session.compile(site, assets.served, { keepGoing: true, checkedFiles })
    const texts = writtenTexts(site.files)
    const broken = errorsByFile(diagnostics, (path) => texts.get(path))
    if (this.#built !== null && !this.#isRechecked) {
      this.#isRechecked = true
      const isDoubtful = [...checkedFiles].some((path) => texts.get(path) === '' || broken.has(path))
      if (isDoubtful && (await this.#isSavedOn(site))) {
        this.#buildAgain = true
        return
      }
    }
    this.#built = site
    const positionAt = positionsOf(site.files)
    const others = [...this.#errors].filter(([file]) => texts.has(file) && !checkedFiles.has(file))
    this.#errors = new Map([...others, ...broken])
    await this.#writeAssets(assets.files)
    const before = this.#modules
    const now = new Map(modules.map((module) => [module.path, module]))
    // The manifest is rebuilt every time, so its code is compared.
    const changedModules = modules.filter(
      (module) =>
        before.get(module.path) !== module &&
        (module.source !== null || before.get(module.path)?.body.text !== module.body.text),
    )
    const state: BuiltState = { site, served: assets.served }
    const saved = this.#reported === null ? NOTHING_SAVED : savedChanges(this.#reported, state, changedModules)
    const same =
      this.#entry !== null && now.size === before.size && changedModules.every((module) => before.has(module.path))
    this.#modules = now
    if (same && this.#entry !== null && changedModules.length <= 50) {
      const written = changedModules.map((module) => this.#writeModule(module, positionAt))
      for (const one of written) this.#newerModules.set(one.module, one)
      // An empty list would mean that the entry contains the newest modules.
      const updates = written.length > 0 ? written : [...this.#newerModules.values()]
      this.#sendBuilt(this.#entry, updates, startedAt, saved)
      this.#reported = state
      return
    }
    this.#entry = await this.#writeEntry(modules, positionAt)
    this.#newerModules.clear()
    this.#sendBuilt(this.#entry, [], startedAt, saved)
    this.#reported = state
  }

  /**
   * Reports changed assets before the build, because they are served from the site's folder. Assets that were added or removed, or that are made
   * from a text with template values, need the build.
   */
  #sendAssets(site: DiscoveredSite, served: ServedAssets): void {
    const before = this.#reported
    if (before === null) return
    const { assets } = savedChanges(before, { site, served }, [])
    const changed = assets.filter(
      ({ name }) => served.get(name)?.digest === null && before.served.get(name)?.digest === null,
    )
    if (changed.length === 0) return
    const known = new Map(before.served)
    for (const { name } of changed) {
      const asset = served.get(name)
      if (asset !== undefined) known.set(name, asset)
    }
    this.#reported = { ...before, served: known }
    send({ type: 'assets', assets: changed })
  }

  #sendBuilt(entry: string, changed: readonly object[], startedAt: number, saved: SavedChanges): void {
    const ms = Math.round(performance.now() - startedAt)
    send({ type: 'built', entry, changed, ms, ...this.#errorFields(), saved })
  }

  /** Returns the known errors as fields of a message: reports by file, and places. */
  #errorFields(): object {
    const files = [...this.#errors]
    return {
      errors: Object.fromEntries(files.map(([file, { text }]) => [file, text])),
      shown: files.flatMap(([, { shown }]) => shown).slice(0, MAX_SHOWN),
    }
  }

  /** Omits the infos that the last check already reported, so that new diagnostics are visible. */
  #withoutKnownRemarks(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const before = this.#remarks
    // Spans are ignored, because they move with every line inserted above.
    const keyOf = ({ code, span, message }: Diagnostic): string => [code, span.file, message].join('\0')
    const remarks = diagnostics.filter(({ severity }) => severity === 'info')
    this.#remarks = new Set(remarks.map(keyOf))
    return diagnostics.filter((each) => each.severity !== 'info' || !before.has(keyOf(each)))
  }

  /** Writes the generated assets that were not written before. */
  async #writeAssets(files: ReadonlyMap<string, AssetContent>): Promise<void> {
    const folder = join(this.#root, OUT)
    // Removes files of an earlier watcher.
    if (this.#entry === null) await rm(folder, { recursive: true, force: true })
    const fresh = new Map([...files].filter(([name]) => this.#entry === null || !this.#writtenAssets.has(name)))
    await writeAssets(fresh, join(folder, 'assets'))
    for (const name of fresh.keys()) this.#writtenAssets.add(name)
  }

  /** Writes one changed module to its own file, synchronously: that is faster than yielding to other tasks. */
  #writeModule(module: Module, positionAt: (span: Span) => SourcePosition): { module: string; url: string } {
    const path = join(this.#root, OUT, `${module.path.replace(/\.ts$/, '')}-${++this.#versions}.mjs`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, devModule(module, path, this.#root, positionAt))
    return { module: module.path, url: pathToFileURL(path).href }
  }

  /** Returns true if the folder changed again since it was read. */
  async #isSavedOn(site: DiscoveredSite): Promise<boolean> {
    await sleep(BROKEN_SAVE_DELAY)
    const others = [...this.#rechecks.keys()].filter((name) => !isAsRead(this.#root, name, site))
    for (const name of others) this.#session.changed(name)
    if (others.length > 0 || this.#buildAgain || this.#timer !== null) return true
    // On a busy machine the watcher may not have reported the next file yet.
    const now = await discover(this.#root).catch(() => null)
    if (now !== null && isSameContent(now, site)) return false
    this.#session.forget()
    return true
  }

  /** Writes the whole site as one link module. */
  async #writeEntry(modules: readonly Module[], positionAt: (span: Span) => SourcePosition): Promise<string> {
    const folder = join(this.#root, OUT)
    await mkdir(folder, { recursive: true })
    await writeFile(join(dirname(folder), '.gitignore'), '*\n')
    const path = join(folder, `site-${++this.#versions}.mjs`)
    const { code, map } = devEntry(modules, path, this.#root, positionAt)
    await writeFile(`${path}.map`, map)
    await writeFile(`${path}.new`, code)
    await rename(`${path}.new`, path)
    return pathToFileURL(path).href
  }
}

function isSameContent(one: DiscoveredSite, other: DiscoveredSite): boolean {
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other))
}

function contentOf({ files, assets, problems, siteRoot }: DiscoveredSite): unknown[] {
  return [
    files.map(({ path, text, unreadable }) => [path, text, unreadable]),
    assets.map(({ path, version }) => [path, version]),
    problems,
    [...siteRoot.manifestTexts],
  ]
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
