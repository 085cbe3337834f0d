/** The site that an agent works on: a warm compiler for the folder's current state, and the process for requests that need its data. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { Workspace } from '../workspace.ts'
import { DiskChanges } from './disk-changes.ts'
import { SiteProcess } from './site-process.ts'
import { ToolError } from './tool-error.ts'

/** Folders to scan before the site's own folders are known. */
const ROOTS = ['app', 'marketplace_builder', 'modules']

/** Number of sample changes analysed in advance. */
const REHEARSALS = 3

/** Texts of files by path; null for a file to be removed. */
export type FileChange = ReadonlyMap<string, string | null>

export class AgentSite {
  readonly root: string
  readonly #workspace: Workspace
  readonly #disk: DiskChanges
  /** The process for requests that need the site's data. It starts with the first one. */
  readonly process: SiteProcess
  #opened: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #failure: unknown = null

  /** @param command program and arguments that start the process */
  constructor(root: string, command: readonly [string, ...string[]]) {
    this.root = resolve(root)
    const failed = (error: unknown): void => void (this.#failure = error)
    this.#workspace = new Workspace(this.root, { diagnosed: () => undefined, failed }, 2)
    this.#disk = new DiskChanges(this.root)
    this.process = new SiteProcess(command)
  }

  /** Starts the analysis of the site before the first request. */
  begin(): void {
    this.#opened ??= this.#open()
  }

  /** Runs requests one after the other, so that none sees the trial changes of another. */
  runExclusive<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act)
    // The caller receives the error. The next request only waits.
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Returns the site as it is on disk, completely analysed. @throws Error if it cannot be read */
  async current(): Promise<Workspace> {
    this.begin()
    await this.#opened
    const changed = this.#disk.scan(this.#roots())
    for (const path of changed) this.#workspace.noteDiskChange(path)
    if (changed.length > 0) await this.#waitUntilAnalysed()
    return this.#workspace
  }

  /** Returns the diagnostics of the whole site with a change, and then reverts the change. */
  async withChange(change: FileChange): Promise<readonly Diagnostic[]> {
    const workspace = this.#workspace
    for (const [path, text] of change) workspace.edit(path, text)
    try {
      await this.#waitUntilAnalysed()
      return workspace.siteAnalysis?.analysis.diagnostics ?? []
    } finally {
      for (const path of change.keys()) workspace.close(path)
      await this.#waitUntilAnalysed()
    }
  }

  /** Converts a path to the site's form. @throws ToolError for a path outside of the site */
  pathOf(writtenText: string): string {
    const path = relative(this.root, resolve(this.root, writtenText)).split(sep).join('/')
    if (path === '' || path.startsWith('../') || path === '..' || isAbsolute(path))
      throw new ToolError(`'${writtenText}' is not a file in the folder of the site, '${this.root}'.`)
    return path
  }

  async close(): Promise<void> {
    this.#workspace.stop()
    await this.process.close()
  }

  async #open(): Promise<void> {
    this.#disk.scan(ROOTS)
    await this.#waitUntilAnalysed()
    // A module that is a separate repository has its own top-level folders.
    this.#disk.scan(this.#roots())
    this.#rehearse()
  }

  /** Analyses a sample change, so that the first real one is fast. */
  #rehearse(): void {
    const file = this.#workspace.files().find(({ path }) => path.endsWith('.liquid'))
    if (file === undefined) return
    const change = new Map([[file.path, `${this.#workspace.writtenText(file.path)} `]])
    for (let times = 0; times < REHEARSALS; times++) this.#workspace.analyzeChange(change)
  }

  #roots(): readonly string[] {
    return this.#workspace.disk?.siteRoot.roots ?? ROOTS
  }

  async #waitUntilAnalysed(): Promise<void> {
    this.#failure = null
    await this.#workspace.settled()
    if (this.#failure !== null) throw this.#failure
  }
}
