/** `ingot watch DIR`: builds for development and again after every save, and tells on standard output, a line of JSON a build. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { watch as watchFiles } from 'chokidar'
import { compile } from '../compile.ts'
import { Memory } from '../model/memo.ts'
import type { Module } from '../model/module.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { printDiagnostics, SEVERITIES } from '../diagnostics/print.ts'
import { discover, type DiscoveredSite, readSource } from '../source/discover.ts'
import { writtenTexts } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import { builtAssets } from '../emit/built-assets.ts'
import { type Place, placesOf } from '../emit/source-map.ts'
import { devEntry, devModule } from './dev-module.ts'

/** Folder of development builds, inside the site's own. */
const OUT = '.ingot/dev'
/**
 * Milliseconds after which a file that was saved is looked at again. The watcher leaves out a change that follows another one
 * of the same file within 50 ms, as when a formatter runs on save.
 */
const LOOK_AGAIN = 120

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
  session.onRoots = (roots) => watcher.add(roots.map((path) => join(root, path)))
  watcher.on('all', (event, path) => session.changed(event, path))
  // The watcher tells of nothing that is saved before it has seen all folders.
  watcher.on('ready', () => void session.lookEverywhere())
  await session.build()
  // The server that started us holds our standard input open; without it there is nobody to build for.
  await new Promise<void>((resolve) => {
    process.stdin.resume()
    process.stdin.on('end', resolve).on('close', resolve)
    process.on('SIGTERM', resolve).on('SIGINT', resolve)
  })
  await watcher.close()
  // An open standard input would keep the process alive.
  process.stdin.destroy()
  return 0
}

class WatchSession {
  readonly #root: string
  readonly #memo = new Memory()
  #found: DiscoveredSite | null = null
  readonly #touched = new Set<string>()
  #modules = new Map<string, Module>()
  #entry: string | null = null
  /** Modules that are newer than the entry holds them, as they were told last. */
  readonly #newer = new Map<string, { module: string; url: string }>()
  #versions = 0
  #running = false
  #again = false
  #timer: NodeJS.Timeout | null = null
  /** What the last build has remarked on. */
  #remarks: ReadonlySet<string> = new Set()
  readonly #looks = new Map<string, NodeJS.Timeout>()
  /** The built assets as they were written last, by path. */
  #assets: ReadonlyMap<string, string> = new Map()
  /** Told of the folders that the site is made of, whenever all of it is read. */
  onRoots: (roots: readonly string[]) => void = () => undefined

  constructor(root: string) {
    this.#root = root
  }

  /** Several events of one save are one build. */
  changed(event: string, path: string): void {
    const name = relative(this.#root, path).split(sep).join('/')
    // Of a file that changed, that file is read again; where files came or went, the folder.
    if (event === 'change') this.#touched.add(name)
    else this.#found = null
    if (event === 'change' || event === 'add') this.#lookAgain(name)
    this.#soon()
  }

  #soon(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.build()
    }, 5)
  }

  /** Builds once more if the folder is not what the last build has read. */
  async lookEverywhere(): Promise<void> {
    const now = await discover(this.#root)
    // A build under way reads the folder itself, maybe too early.
    while (this.#running) await sleep(LOOK_AGAIN)
    const last = this.#found
    if (last !== null && JSON.stringify(contentOf(last)) === JSON.stringify(contentOf(now))) return
    this.#found = null
    this.#soon()
  }

  /** Builds once more if by then the file is not what the last build has read. */
  #lookAgain(name: string): void {
    clearTimeout(this.#looks.get(name))
    const look = async (): Promise<void> => {
      this.#looks.delete(name)
      if (this.#found === null || this.#running) return this.#lookAgain(name)
      const { files, assets } = this.#found
      const read = await readSource(this.#root, name, this.#found.siteRoot)
      const known = files.find((file) => file.path === name)
      const asset = assets.find((each) => each.path === name)
      const same =
        read.kind === 'file'
          ? read.file.text === known?.text &&
            read.file.unreadable === known.unreadable &&
            read.asset?.mtimeMs === asset?.mtimeMs
          : known === undefined
      if (same) return
      this.#touched.add(name)
      this.#soon()
    }
    this.#looks.set(
      name,
      setTimeout(() => void look(), LOOK_AGAIN),
    )
  }

  async build(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return
    }
    this.#running = true
    try {
      do {
        this.#again = false
        await this.#once()
      } while (this.#again)
    } finally {
      this.#running = false
    }
  }

  async #once(): Promise<void> {
    const started = performance.now()
    const found = await this.#discover()
    const texts = writtenTexts(found.files)
    const textOf = (path: string) => texts.get(path)
    const places = placesOf(found.files)
    if (found.problems.length > 0)
      return tell({
        type: 'errors',
        text: found.problems.map(({ path, message }) => `'${path}': ${message}.`).join('\n'),
      })
    const { modules, diagnostics } = compile(
      found.files,
      {
        dialect: 'platform',
        syntax: 'lax',
        // What is broken fails where it is reached, and the rest can be worked on.
        keepGoing: true,
        openEntries: false,
        assetsUpdated: newest(found),
        ignored: found.ignored,
        requiredModules: found.siteRoot.manifests.requiredModules,
      },
      this.#memo,
    )
    const text = printDiagnostics(this.#news(diagnostics), {
      texts: textOf,
      color: true,
      all: diagnostics,
      folded: SEVERITIES,
    })
    const errors = errorsByFile(diagnostics, textOf)
    await this.#writeAssets(found)
    const before = this.#modules
    const now = new Map(modules.map((module) => [module.path, module]))
    // The manifest is made anew every time; it changed when its code did.
    const changed = modules.filter(
      (module) =>
        before.get(module.path) !== module &&
        (module.source !== null || !isDeepStrictEqual(before.get(module.path)?.body, module.body)),
    )
    const same = this.#entry !== null && now.size === before.size && changed.every((module) => before.has(module.path))
    this.#modules = now
    if (same && this.#entry !== null && changed.length <= 50) {
      const written = await Promise.all(changed.map((module) => this.#writeModule(module, places)))
      for (const one of written) this.#newer.set(one.module, one)
      // An empty list would mean the entry as it was written.
      const told = written.length > 0 ? written : [...this.#newer.values()]
      tell({
        type: 'built',
        entry: this.#entry,
        changed: told,
        ms: Math.round(performance.now() - started),
        text,
        errors,
      })
      return
    }
    this.#entry = await this.#writeEntry(modules, places)
    this.#newer.clear()
    tell({ type: 'built', entry: this.#entry, changed: [], ms: Math.round(performance.now() - started), text, errors })
  }

  /** Without the remarks that the last build has made already: nobody has to act on them, and they would hide what is new. */
  #news(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const before = this.#remarks
    // Places move with every line that is written above them.
    const keyOf = ({ code, span, message }: Diagnostic): string => [code, span.file, message].join('\0')
    const remarks = diagnostics.filter(({ severity }) => severity === 'info')
    this.#remarks = new Set(remarks.map(keyOf))
    return diagnostics.filter((each) => each.severity !== 'info' || !before.has(keyOf(each)))
  }

  async #discover(): Promise<DiscoveredSite> {
    const touched = [...this.#touched]
    this.#touched.clear()
    if (this.#found === null || this.#found.problems.length > 0) return this.#discoverAll()
    const known = this.#found
    const files = [...known.files]
    const assets = [...known.assets]
    for (const path of touched) {
      const read = await readSource(this.#root, path, known.siteRoot)
      const at = files.findIndex((file) => file.path === path)
      if (read.kind !== 'file' || at < 0) return this.#discoverAll()
      files[at] = read.file
      const asset = assets.findIndex((each) => each.path === path)
      if (read.asset !== null && asset >= 0) assets[asset] = read.asset
    }
    return (this.#found = { ...known, files, assets })
  }

  async #discoverAll(): Promise<DiscoveredSite> {
    this.#found = await discover(this.#root)
    this.onRoots(this.#found.siteRoot.roots)
    return this.#found
  }

  /** The assets whose texts a build makes, beside its modules; of those that are known already the changed ones. */
  async #writeAssets({ files }: DiscoveredSite): Promise<void> {
    const folder = join(this.#root, OUT)
    // What an earlier watch has left is nothing of this one's.
    if (this.#entry === null) await rm(folder, { recursive: true, force: true })
    const known = this.#entry === null ? new Map<string, string>() : this.#assets
    this.#assets = new Map(builtAssets(files))
    for (const [path, text] of this.#assets) {
      if (known.get(path) === text) continue
      const full = join(folder, path)
      await mkdir(dirname(full), { recursive: true })
      await writeFile(`${full}.new`, text)
      await rename(`${full}.new`, full)
    }
  }

  /** One changed module in a file of its own. */
  async #writeModule(module: Module, places: (span: Span) => Place): Promise<{ module: string; url: string }> {
    const path = join(this.#root, OUT, `${module.path.replace(/\.ts$/, '')}-${++this.#versions}.mjs`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, devModule(module, path, this.#root, places))
    return { module: module.path, url: pathToFileURL(path).href }
  }

  /** The whole site as one link module. */
  async #writeEntry(modules: readonly Module[], places: (span: Span) => Place): Promise<string> {
    const folder = join(this.#root, OUT)
    await mkdir(folder, { recursive: true })
    await writeFile(join(dirname(folder), '.gitignore'), '*\n')
    const path = join(folder, `site-${++this.#versions}.mjs`)
    const { code, map } = devEntry(modules, path, this.#root, places)
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
): Readonly<Record<string, string>> {
  const files = new Map<string, Diagnostic[]>()
  for (const each of diagnostics) {
    if (each.severity !== 'error') continue
    const own = files.get(each.span.file)
    if (own === undefined) files.set(each.span.file, [each])
    else own.push(each)
  }
  return Object.fromEntries(
    [...files].map(([file, own]) => [file, printDiagnostics(own, { texts, color: false, folded: SEVERITIES })]),
  )
}

function contentOf({ files, assets, problems }: DiscoveredSite): unknown[] {
  return [
    files.map(({ path, text, unreadable }) => [path, text, unreadable]),
    assets.map(({ path, mtimeMs }) => [path, mtimeMs]),
    problems,
  ]
}

function newest(found: DiscoveredSite): number {
  return Math.floor(found.assets.reduce((latest, asset) => Math.max(latest, asset.mtimeMs), 0) / 1000)
}

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
