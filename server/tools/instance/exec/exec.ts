/**
 * Renders templates that are sent: a compiler in a process of its own compiles each together with the files of the site that is served, and a
 * thread runs it, which is ended when it takes too long or too much memory. What answers requests loads no compiler and waits for nobody.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { ownFolder, removeLeft } from '../../../core/leftovers.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/render.ts'
import { formatSentFailure } from '../../../operate/jobs/task/failure.ts'
import type { ThreadStart } from '../../../operate/jobs/threads/calls.ts'
import type { JobPool } from '../../../operate/jobs/threads/pool.ts'
import type { BuildEdits } from '../../../web/site/load.ts'
import type { LogRow } from '../../../web/logs/model.ts'
import type { Releases } from '../../../operate/releases/model.ts'
import { BlobFolder } from '../deploys/blobs.ts'
import { sentencesOf, SiteCompiler } from '../deploys/compiler.ts'
import { isAsset } from '../deploys/paths.ts'
import { treeOf } from '../deploys/site.ts'

export interface ExecOptions {
  readonly sql: Sql
  readonly releases: Releases
  /** Folder for what is being rendered, by all processes of this machine. */
  readonly folder: string
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Path of the thread module. */
  readonly thread: string
  readonly start: ThreadStart
  /** Stores entries of the log. */
  readonly keep: (row: LogRow) => void
}

/** As the client reads it. */
export interface Executed {
  readonly result: string | null
  readonly error: string | null
}

/** Templates that run at once; the others wait. */
const THREADS = 2
/** Milliseconds after which an idle compiler and idle threads are ended. */
const IDLE = 120_000
const SECONDS = DEFAULT_LIMITS.time / 1000

/** The site of a release, as the compiler reads it. */
interface Source {
  readonly of: BuildEdits
  readonly folder: string
}

export class SentTemplates {
  readonly #options: ExecOptions
  readonly #folder: string
  readonly #compiler: SiteCompiler
  #source: Promise<Source> | null = null
  /** Folders of the sites that are there. */
  readonly #folders: string[] = []
  #start: ThreadStart
  #pool: Promise<JobPool> | null = null
  #count = 0
  #busy = 0
  #idle: NodeJS.Timeout | null = null

  constructor(options: ExecOptions) {
    this.#options = options
    this.#start = options.start
    this.#folder = ownFolder(options.folder)
    this.#compiler = new SiteCompiler(options.bin)
  }

  /** @param host that of who has sent it. @throws Error when the compiler ends, and the errors of the database client */
  async render(content: string, host: string): Promise<Executed> {
    this.#busy++
    if (this.#idle !== null) clearTimeout(this.#idle)
    try {
      return await this.#render(content, host)
    } finally {
      if (--this.#busy === 0) this.#idle = setTimeout(() => void this.#rest(), IDLE).unref()
    }
  }

  /** What is sent from now on runs with another build. */
  renew(start: ThreadStart): void {
    this.#start = start
    const { site } = start
    if (site.kind === 'built') void this.#pool?.then((pool) => pool.follow(site.built))
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    await this.#rest()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #render(content: string, host: string): Promise<Executed> {
    // What begins anew does not wait for one another: the compiler, the files that it reads, and the threads.
    this.#compiler.start()
    const threads = this.#threads()
    // Its failure is told where it is awaited.
    threads.catch(() => undefined)
    const source = await this.#current()
    const folder = join(this.#folder, `sent-${++this.#count}`)
    try {
      const compiled = await this.#compiler.compileSent(source.folder, content, folder)
      const { sent } = compiled
      if (sent === null) return { result: null, error: sentencesOf(compiled).join('\n') }
      const pool = await threads
      const outcome = await pool.run({ kind: 'sent', folder, unit: sent, host, seconds: SECONDS }, never(), SECONDS)
      if (outcome.kind === 'done') return { result: outcome.printed ?? '', error: null }
      if (outcome.kind === 'failed') return { result: null, error: formatSentFailure(outcome.failure, sent) }
      return { result: null, error: outcome.kind === 'unready' ? outcome.sentence : 'The server is being stopped' }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** The files of the site that is served. One asks after the other, so that they are written once. */
  #current(): Promise<Source> {
    // Whoever asked before is told of a failure; this one tries again.
    const before = (this.#source ?? Promise.resolve(null)).catch(() => null)
    this.#source = before.then(async (known) => {
      const { release = '', revision = 0 } = (await this.#options.releases.current()) ?? {}
      const isKnown = known?.of.release === release && known.of.revision === revision
      return isKnown ? known : this.#write({ release, revision })
    })
    return this.#source
  }

  async #write(of: BuildEdits): Promise<Source> {
    await removeLeft(this.#options.folder)
    const { sql } = this.#options
    const folder = join(this.#folder, `site-${++this.#count}`)
    const blobs = new BlobFolder(join(this.#folder, 'files'))
    await blobs.open()
    await mkdir(join(folder, 'app'), { recursive: true })
    // What templates say of assets is told by the site that is served.
    const files = [...(await treeOf(sql, of))].filter(([path]) => !isAsset(path))
    await blobs.write(sql, new Map(files), folder)
    // The one before may still be read.
    this.#folders.push(folder)
    for (const old of this.#folders.splice(0, this.#folders.length - 2)) await rm(old, { recursive: true, force: true })
    return { of, folder }
  }

  async #threads(): Promise<JobPool> {
    this.#pool ??= this.#open()
    return this.#pool
  }

  async #open(): Promise<JobPool> {
    // Loaded here, because most processes never need it.
    const { createPool } = await import('../../../operate/jobs/threads/pool.ts')
    const start = this.#start
    const { thread: file, keep } = this.#options
    const { memory } = start.settings.jobs
    const pool = createPool({ file, start, threads: THREADS, memory, lazy: true, keep })
    // The next one is for who asks meanwhile.
    await pool.run({ kind: 'warm' }, never(), SECONDS)
    return pool
  }

  async #rest(): Promise<void> {
    this.#compiler.close()
    const pool = this.#pool
    this.#pool = null
    await (await pool)?.destroy()
  }
}

/** Nobody ends what was sent but its own limits. */
function never(): AbortSignal {
  return new AbortController().signal
}
