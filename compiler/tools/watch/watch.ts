/**
 * `ingot watch DIR`: builds for development after every save, and writes a line of JSON for each build to standard output. What was saved is
 * compiled by itself first, so that it is served at once; then the site is checked as a whole, and a line tells what is to be said of it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { watch as watchFiles } from 'chokidar'
import { type AssetContent, type LiveAssets, liveAssets } from '../../phases/assets/prepare.ts'
import { writeAssets } from '../../phases/assets/write.ts'
import type { Module } from '../../core/model/module.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { printDiagnostics, SEVERITIES } from '../../core/diagnostics/print.ts'
import { KeptFindings } from '../kept-findings.ts'
import { keepWhenAsked } from '../running-compilers.ts'
import { discover, type DiscoveredSite, isAsRead } from '../../core/source/discover.ts'
import { BoundHeap } from '../service/bound-heap.ts'
import { devEntry, devModule } from '../service/live-modules.ts'
import { SiteSession } from '../service/session.ts'
import { runInSlices } from '../../core/model/slices.ts'
import { siteOptions } from '../site-options.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { type SourcePosition, positionsOf } from '../../phases/emit/source-map.ts'

/** Folder of development builds, inside the site's own. */
const OUT = '.ingot/dev'
/**
 * Milliseconds after which a file that was saved is looked at again. The watcher leaves out a change that follows another one
 * of the same file within 50 ms, as when a formatter runs on save.
 */
const RECHECK_DELAY = 120
/** Milliseconds in which an editor makes what it does of one save. */
const SAVING = 1
/**
 * Milliseconds after which a save that breaks a file is looked at again before it is served: an editor may have emptied the file first, or
 * write one after the other.
 */
const HALF_SAVED = 50
/** Builds in a row that may miss a file before that is told. */
const MISSES = 10

export async function watch(root: string): Promise<number> {
  const session = new WatchSession(root)
  const { siteRoot } = await discover(root)
  const watcher = watchFiles(
    siteRoot.roots.map((path) => join(root, path)),
    {
      ignoreInitial: true,
      // Editors write in several steps.
      awaitWriteFinish: false,
    },
  )
  // A manifest may make folders of the root parts of the site.
  session.onRoots((roots) => watcher.add(roots.map((path) => join(root, path))))
  let heap: BoundHeap | null = null
  watcher.on('all', (event, path) => {
    heap?.asked()
    session.changed(event, path)
  })
  // A folder that cannot be watched is no reason to leave the others alone.
  watcher.on('error', (error) => process.stderr.write(`Not all files can be watched: ${messageOf(error)}.\n`))
  // The watcher reports no change before it has seen all folders.
  watcher.on('ready', () => void session.checkAllFiles())
  await session.build()
  // Until here memory is spent on being quick.
  heap = new BoundHeap(45)
  // The server that started us holds our standard input open; without it there is nobody to build for.
  await new Promise<void>((resolve) => {
    process.stdin.resume()
    process.stdin.on('end', resolve).on('close', resolve)
    process.on('SIGTERM', resolve).on('SIGINT', resolve)
  })
  await watcher.close()
  session.close()
  // An open standard input would keep the process alive.
  process.stdin.destroy()
  return 0
}

class WatchSession {
  readonly #root: string
  readonly #session: SiteSession
  #modules = new Map<string, Module>()
  #entry: string | null = null
  /** Modules that were built after the entry, as they were sent last. */
  readonly #newerModules = new Map<string, { module: string; url: string }>()
  #versions = 0
  #running = false
  #buildAgain = false
  #timer: NodeJS.Timeout | null = null
  #later: NodeJS.Timeout | undefined
  /** Builds in a row that missed a file. */
  #missed = 0
  /** What the last build has read, where it was broken off after that. */
  #broken: DiscoveredSite | null = null
  /** What was saved last is looked at again once, where it has broken something. */
  #lookedAgain = true
  /** The remarks of the last check. */
  #remarks: ReadonlySet<string> = new Set()
  /** The site that was built last; null where the last build was broken off. */
  #built: DiscoveredSite | null = null
  /** Errors by file, as they are known since the last check and the builds after it. */
  #errors: ReadonlyMap<string, string> = new Map()
  /** The build that is under way, or was the last one, with the check behind it. */
  #round: Promise<void> = Promise.resolve()
  readonly #findings: KeptFindings
  /** Keeps what was found last. */
  #keep: () => void = () => undefined
  #unlisten: (() => void) | undefined
  /** Ends the check that is under way. */
  #checking = new AbortController()
  readonly #rechecks = new Map<string, NodeJS.Timeout>()
  readonly #assets: LiveAssets
  /** Names of the assets that were written. */
  readonly #writtenAssets = new Set<string>()

  constructor(root: string) {
    this.#root = root
    this.#session = new SiteSession(root)
    this.#assets = liveAssets(root)
    this.#findings = new KeptFindings(root)
  }

  close(): void {
    this.#unlisten?.()
  }

  /** @param hear is called with the folders of the site whenever all of it is read */
  onRoots(hear: (roots: readonly string[]) => void): void {
    this.#session.onRoots = hear
  }

  /** Several events of one save are one build. */
  changed(event: string, path: string): void {
    // What it would find out is not wanted any more, and the build is to begin at once.
    this.#checking.abort()
    const name = relative(this.#root, path).split(sep).join('/')
    this.#lookedAgain = false
    // A changed file is read again alone; where files were added or removed, the whole folder is.
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
    }, SAVING)
  }

  /** Builds once more if the folder is not what the last build has read. */
  async checkAllFiles(): Promise<void> {
    // What cannot be read is told by the build that follows.
    const now = await discover(this.#root).catch(() => null)
    // A build under way reads the folder itself, maybe too early.
    while (this.#running) await sleep(RECHECK_DELAY)
    const last = this.#session.site
    if (now !== null && last !== null && JSON.stringify(contentOf(last)) === JSON.stringify(contentOf(now))) return
    this.#session.forget()
    this.#buildSoon()
  }

  /** Builds once more if by then the file is not what the last build has read. */
  #recheckLater(name: string): void {
    clearTimeout(this.#rechecks.get(name))
    const recheck = (): void => {
      this.#rechecks.delete(name)
      if (this.#running) return this.#recheckLater(name)
      const site = this.#session.site ?? this.#broken
      if (site === null) return this.#buildSoon()
      // One that cannot be read differs from what was built, and the build that follows tells why.
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
          (error: unknown) => this.#failed(error),
        )
      } while (this.#buildAgain)
    } finally {
      this.#running = false
    }
    if (this.#built !== null) await this.#check(this.#built).catch((error: unknown) => this.#failed(error))
  }

  /** Checks the site as a whole, unless another change comes first. */
  async #check(site: DiscoveredSite): Promise<void> {
    this.#checking = new AbortController()
    const diagnostics = await runInSlices(this.#session.diagnosisSteps(site), this.#checking.signal)
    if (diagnostics === null) return
    this.#keepOf(site, diagnostics)
    const texts = writtenTexts(site.files)
    const textOf = (path: string) => texts.get(path)
    const text = printDiagnostics(this.#withoutKnownRemarks(diagnostics), {
      texts: textOf,
      color: true,
      all: diagnostics,
      folded: SEVERITIES,
    })
    this.#errors = errorsByFile(diagnostics, textOf)
    send({ type: 'checked', text, errors: Object.fromEntries(this.#errors) })
  }

  /** Another process need not look for what was found, as soon as it asks. */
  #keepOf(site: DiscoveredSite, diagnostics: readonly Diagnostic[]): void {
    const options = siteOptions(site)
    if (!this.#findings.keeps(options)) return
    this.#keep = () => this.#findings.write(site.files, options, diagnostics)
    this.#unlisten ??= keepWhenAsked(this.#root, async () => {
      do {
        await sleep(SAVING)
        await this.#round
      } while (this.#timer !== null || this.#running)
      this.#keep()
    })
  }

  /**
   * Tells of a build that was broken off: a file went while it was read, the disk is full, the compiler has a defect. The
   * next save builds all anew.
   */
  #failed(error: unknown): void {
    this.#broken = this.#session.site
    this.#built = null
    this.#session.forgetAll()
    const isFile = error instanceof Error && 'path' in error && 'code' in error
    if (isFile && error.code === 'ENOENT' && this.#missed++ < MISSES) return this.#buildLater()
    const text = isFile || !(error instanceof Error) ? `${messageOf(error)}.` : `The compiler failed: ${error.stack}`
    send({ type: 'errors', text })
  }

  /** A file that is replaced is away for a moment. */
  #buildLater(): void {
    clearTimeout(this.#later)
    this.#later = setTimeout(() => this.#buildSoon(), RECHECK_DELAY)
  }

  async #buildOnce(): Promise<void> {
    const started = performance.now()
    const site = await this.#session.read()
    if (site.problems.length > 0) {
      this.#built = null
      return send({
        type: 'errors',
        text: site.problems.map(({ path, message }) => `'${path}': ${message}.`).join('\n'),
      })
    }
    const assets = await this.#assets.of(site)
    // What is broken fails where it is reached, and the rest can be worked on.
    const checkedFiles = this.#built === null ? new Set<string>() : changedFiles(this.#built, site)
    const { modules, diagnostics } = this.#session.compile(site, assets.served, { keepGoing: true, checkedFiles })
    const texts = writtenTexts(site.files)
    const broken = errorsByFile(diagnostics, (path) => texts.get(path))
    if (this.#built !== null && !this.#lookedAgain) {
      this.#lookedAgain = true
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
    const errors = Object.fromEntries(this.#errors)
    await this.#writeAssets(assets.files)
    const before = this.#modules
    const now = new Map(modules.map((module) => [module.path, module]))
    // The manifest is made anew every time; it changed when its code did.
    const changed = modules.filter(
      (module) =>
        before.get(module.path) !== module &&
        (module.source !== null || before.get(module.path)?.body.text !== module.body.text),
    )
    const same = this.#entry !== null && now.size === before.size && changed.every((module) => before.has(module.path))
    this.#modules = now
    if (same && this.#entry !== null && changed.length <= 50) {
      const written = changed.map((module) => this.#writeModule(module, positionAt))
      for (const one of written) this.#newerModules.set(one.module, one)
      // An empty list would mean that the entry is up to date.
      const updates = written.length > 0 ? written : [...this.#newerModules.values()]
      send({
        type: 'built',
        entry: this.#entry,
        changed: updates,
        ms: Math.round(performance.now() - started),
        errors,
      })
      return
    }
    this.#entry = await this.#writeEntry(modules, positionAt)
    this.#newerModules.clear()
    send({ type: 'built', entry: this.#entry, changed: [], ms: Math.round(performance.now() - started), errors })
  }

  /** Without the remarks of the last check, which would hide new diagnostics. */
  #withoutKnownRemarks(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const before = this.#remarks
    // Spans are left out, since they move with every line that is written above them.
    const keyOf = ({ code, span, message }: Diagnostic): string => [code, span.file, message].join('\0')
    const remarks = diagnostics.filter(({ severity }) => severity === 'info')
    this.#remarks = new Set(remarks.map(keyOf))
    return diagnostics.filter((each) => each.severity !== 'info' || !before.has(keyOf(each)))
  }

  /** The assets whose texts a build makes, beside its modules: those that were not written before. */
  async #writeAssets(files: ReadonlyMap<string, AssetContent>): Promise<void> {
    const folder = join(this.#root, OUT)
    // Files of an earlier watch are removed.
    if (this.#entry === null) await rm(folder, { recursive: true, force: true })
    const fresh = new Map([...files].filter(([name]) => this.#entry === null || !this.#writtenAssets.has(name)))
    await writeAssets(fresh, join(folder, 'assets'))
    for (const name of fresh.keys()) this.#writtenAssets.add(name)
  }

  /** One changed module in a file of its own, at once: a small file is written before others could have had the turn. */
  #writeModule(module: Module, positionAt: (span: Span) => SourcePosition): { module: string; url: string } {
    const path = join(this.#root, OUT, `${module.path.replace(/\.ts$/, '')}-${++this.#versions}.mjs`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, devModule(module, path, this.#root, positionAt))
    return { module: module.path, url: pathToFileURL(path).href }
  }

  /** Whether what was saved goes on being saved: there is more in the folder than was read. */
  async #isSavedOn(site: DiscoveredSite): Promise<boolean> {
    await sleep(HALF_SAVED)
    const others = [...this.#rechecks.keys()].filter((name) => !isAsRead(this.#root, name, site))
    for (const name of others) this.#session.changed(name)
    return others.length > 0 || this.#buildAgain || this.#timer !== null
  }

  /** The whole site as one link module. */
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

/** The report of each file's errors, for pages that fail by them. */
function errorsByFile(
  diagnostics: readonly Diagnostic[],
  texts: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const files = new Map<string, Diagnostic[]>()
  for (const each of diagnostics) {
    if (each.severity !== 'error') continue
    const own = files.get(each.span.file)
    if (own === undefined) files.set(each.span.file, [each])
    else own.push(each)
  }
  return new Map(
    [...files].map(([file, own]) => [file, printDiagnostics(own, { texts, color: false, folded: SEVERITIES })]),
  )
}

/** The files that are new or others than before. */
function changedFiles(before: DiscoveredSite, now: DiscoveredSite): ReadonlySet<string> {
  const others = now.files.filter((file, at) => file !== before.files[at])
  if (others.length === 0) return new Set()
  const known = new Map(before.files.map((file) => [file.path, file]))
  const isChanged = ({ path, text, unreadable }: SourceFile): boolean => {
    const old = known.get(path)
    return old?.text !== text || old.unreadable !== unreadable
  }
  return new Set(others.filter(isChanged).map(({ path }) => path))
}

function contentOf({ files, assets, problems, siteRoot }: DiscoveredSite): unknown[] {
  return [
    files.map(({ path, text, unreadable }) => [path, text, unreadable]),
    assets.map(({ path, version }) => [path, version]),
    problems,
    [...siteRoot.manifestTexts],
  ]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
