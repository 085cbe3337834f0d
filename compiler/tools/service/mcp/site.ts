/** The site that an agent works on: the warm compiler with the folder as it is now, and the process that runs what needs its data. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { Workspace } from '../workspace.ts'
import { DiskChanges } from './disk.ts'
import { SiteProcess } from './process.ts'
import { Refused } from './refused.ts'

/** Folders of a site before it is known which it has. */
const ROOTS = ['app', 'marketplace_builder', 'modules']

/** Changes that are tried before anybody asks. */
const REHEARSALS = 3

/** Texts of files by their paths; null for one that is to be gone. */
export type FileChange = ReadonlyMap<string, string | null>

export class AgentSite {
  readonly root: string
  readonly #workspace: Workspace
  readonly #disk: DiskChanges
  /** What needs the site's data runs there; it is started when it is asked for the first time. */
  readonly process: SiteProcess
  #opened: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #failure: unknown = null

  /** @param command how the process is started: a program and its arguments */
  constructor(root: string, command: readonly [string, ...string[]]) {
    this.root = resolve(root)
    const failed = (error: unknown): void => void (this.#failure = error)
    this.#workspace = new Workspace(this.root, { diagnosed: () => undefined, failed }, 2)
    this.#disk = new DiskChanges(this.root)
    this.process = new SiteProcess(command)
  }

  /** Begins to look at the site before anybody asks. */
  begin(): void {
    this.#opened ??= this.#open()
  }

  /** One question after the other, so that none sees what another one tries out. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act)
    // Whoever asked is told of the failure; the next one only waits for the end.
    this.#last = done.catch(() => undefined)
    return done
  }

  /** The site as it is on disk now, looked at as a whole. @throws Error where it cannot be read */
  async current(): Promise<Workspace> {
    this.begin()
    await this.#opened
    const changed = this.#disk.look(this.#roots())
    for (const path of changed) this.#workspace.onDisk(path)
    if (changed.length > 0) await this.#settled()
    return this.#workspace
  }

  /** What is told of the whole site with a change in it, which is taken back. */
  async withChange(change: FileChange): Promise<readonly Diagnostic[]> {
    const workspace = this.#workspace
    for (const [path, text] of change) workspace.edit(path, text)
    try {
      await this.#settled()
      return workspace.known?.analysis.diagnostics ?? []
    } finally {
      for (const path of change.keys()) workspace.close(path)
      await this.#settled()
    }
  }

  /** A path as the site has it. @throws Refused for one outside of it */
  pathOf(written: string): string {
    const path = relative(this.root, resolve(this.root, written)).split(sep).join('/')
    if (path === '' || path.startsWith('../') || path === '..' || isAbsolute(path))
      throw new Refused(`'${written}' is no file in the folder of the site, '${this.root}'.`)
    return path
  }

  async close(): Promise<void> {
    this.#workspace.shut()
    await this.process.close()
  }

  async #open(): Promise<void> {
    this.#disk.look(ROOTS)
    await this.#settled()
    // A module that is a repository has folders of its own.
    this.#disk.look(this.#roots())
    this.#rehearse()
  }

  /** Tries a change that nobody asked for, so that the first one that somebody does finds what it needs. */
  #rehearse(): void {
    const file = this.#workspace.files().find(({ path }) => path.endsWith('.liquid'))
    if (file === undefined) return
    const change = new Map([[file.path, `${file.written?.text ?? file.text} `]])
    for (let times = 0; times < REHEARSALS; times++) this.#workspace.consider(change)
  }

  #roots(): readonly string[] {
    return this.#workspace.disk?.siteRoot.roots ?? ROOTS
  }

  async #settled(): Promise<void> {
    this.#failure = null
    await this.#workspace.settled()
    if (this.#failure !== null) throw this.#failure
  }
}
