/** Compiles the tests of a site with the site, and opens the tracks (see `track.ts`) on which they run. */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Sql } from 'postgres'
import * as runtime from '../../../runtime/index.ts'
import { isTestName } from '../../../runtime/page/test-names.ts'
import type { TableIds } from '../../web/app-options.ts'
import { openDatabase } from '../../data/database.ts'
import { readSecret } from '../../web/graphql/values/secrets.ts'
import { type Compiled, SiteCompiler } from '../instance/deploys/compiler.ts'
import { installQueue } from '../../data/queue/install.ts'
import { createLogger } from '../../core/services/log.ts'
import { SiteBuilds } from '../../web/site/builds.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import type { ReadySettings, Settings } from '../../core/settings.ts'
import { StartError } from '../../core/start-error.ts'
import { productionServer } from '../../data/store/servers.ts'
import { openStore, type Store } from '../../data/store/store.ts'
import { Coverage, type FileCoverage } from './coverage.ts'
import { isolateSettings } from './isolated-settings.ts'
import type { TestCase, TestResult } from './model.ts'
import { Track, type TrackListeners, type TrackOptions } from './track.ts'

export interface TestingOptions {
  /** Folder of the site. */
  readonly dir: string
  readonly settings: Settings
  readonly version: string
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Path of the job thread's program, in which migrations run. */
  readonly thread: string
}

/** A run of tests. */
export interface TestRun {
  /** Called with each result, in the order of the tests. */
  readonly onResult: (result: TestResult) => void
  readonly coverage: boolean
}

function refusedDatabase(host: string): string {
  return `A production server on '${host}' uses this database, which tests must not touch: set DATABASE_URL to another database.`
}

/** A text to compile with the site. */
export interface SentText {
  readonly text: string
  readonly format: 'txt' | 'html'
}

/** Calls partials by a name that is known only at run time, so that the compiler makes all of them callable. */
export const HARNESS = '{% include context.params.name %}{% function given = context.params.name %}{{ given }}'
/** Number of tests that run in parallel: while one waits for the database, another one renders. */
const TRACK_COUNT = 4
/** Paths of request files, in the folders of a site and its modules. */
const REQUEST_FILE =
  /^(?:(?:app|marketplace_builder)\/|(?:app\/)?modules\/[^/]+\/(?:public|private)\/)(?:lib|views\/partials)\/.*_test\.ya?ml$/

export class SiteTests {
  readonly #root: string
  readonly #options: TestingOptions
  readonly #compiler: SiteCompiler
  readonly #store: Store
  readonly #settings: ReadySettings
  /** The settings of `ingot dev`, for migrations, whose changes stay. */
  readonly #lasting: ReadySettings
  readonly #folder: string
  readonly #closeDatabase: () => Promise<void>
  readonly #logger = createLogger('silent', false)
  #builds = 0
  #files: readonly string[] = []

  private constructor(options: TestingOptions, opened: Opened) {
    this.#options = options
    this.#root = opened.root
    this.#compiler = opened.compiler
    this.#store = opened.store
    this.#settings = opened.settings
    this.#lasting = opened.lasting
    this.#folder = opened.folder
    this.#closeDatabase = opened.closeDatabase
  }

  /** Opens the site's database. @throws StartError, also when it is a production database */
  static async open(options: TestingOptions): Promise<SiteTests> {
    const { dir, settings, bin } = options
    if (settings.environment === 'production')
      throw new StartError('Tests and experiments do not run in production: set INGOT_ENV to development or staging.')
    const root = resolve(dir)
    const logger = createLogger('warn', true, process.stderr)
    const compiler = new SiteCompiler(bin)
    compiler.start()
    try {
      const database = await openDatabase(settings, root, logger)
      const { databaseUrl, dataFolder } = database.settings
      try {
        // Checked before the tables of the database are migrated.
        const production = await productionServer(databaseUrl)
        if (production !== null) throw new StartError(refusedDatabase(production))
        const store = await openStore({ url: databaseUrl, replicaUrl: null, pool: 2, logger })
        await installQueue(databaseUrl, store.sql)
        const folder = await mkdtemp(join(tmpdir(), 'ingot-tests-'))
        const own = isolateSettings(database.settings, folder, readSecret(settings.secret, dataFolder))
        const opened = { root, compiler, store, settings: own, lasting: database.settings, folder }
        return new SiteTests(options, { ...opened, closeDatabase: async () => void (await database.close()) })
      } catch (error) {
        await database.close()
        throw error
      }
    } catch (error) {
      compiler.close()
      throw error
    }
  }

  /**
   * Compiles the current files of the site.
   * @param piece a text to compile with it
   * @throws StartError when it has errors
   */
  async compile(piece: SentText = { text: HARNESS, format: 'txt' }): Promise<CompiledTests> {
    await rm(join(this.#folder, String(this.#builds)), { recursive: true, force: true })
    const out = join(this.#folder, String(++this.#builds))
    const compiledSite = await this.#compiler.compileSent(this.#root, piece.text, out, true, piece.format)
    const { sent, errors, failure } = compiledSite
    if (sent === null) throw new StartError(refusal(errors, piece) ?? failure ?? 'The site could not be compiled.')
    this.#files = await this.#requestFiles()
    let prepared: Promise<TableIds> | null = null
    const ids = (loadedSite: LoadedSite): Promise<TableIds> => (prepared ??= this.#prepare(loadedSite, out))
    const trackOptions = async (loadedSite: LoadedSite, listeners: TrackListeners) => ({
      ...this.#trackOptions(loadedSite, await ids(loadedSite)),
      ...listeners,
    })
    return new CompiledTests({ folder: out, requests: this.#files, root: this.#root, sent, trackOptions })
  }

  /** The site's own database, outside of all tests. */
  get sql(): Sql {
    return this.#store.sql
  }

  /** Folder of the site's data. */
  get dataFolder(): string {
    return this.#lasting.dataFolder
  }

  async close(): Promise<void> {
    this.#compiler.close()
    await this.#store.close()
    await this.#closeDatabase()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Prepares the database like `ingot dev`: with the tables of the site, after its migrations. */
  async #prepare({ site }: LoadedSite, folder: string): Promise<TableIds> {
    const { ids } = await this.#store.prepare(site.data, null)
    if (site.migrations.length === 0) return ids
    const { migrateSite } = await import('../../operate/jobs/migrations/migrate-site.ts')
    const { thread: file, version } = this.#options
    const source = { kind: 'built', builtSite: { root: this.#root, folder } } as const
    const thread = { file, source, settings: this.#lasting, version }
    const log = { store: () => undefined, failed: () => undefined }
    await migrateSite({ sql: this.#store.sql, site, thread, logger: this.#logger, log })
    return ids
  }

  #trackOptions(loadedSite: LoadedSite, ids: TableIds): TrackOptions {
    const read = (file: string): string => readFileSync(join(this.#root, file), 'utf8')
    const { version } = this.#options
    return { loadedSite, ids, store: this.#store, settings: this.#settings, version, logger: this.#logger, read }
  }

  async #requestFiles(): Promise<readonly string[]> {
    const files: string[] = []
    for (const root of ['app', 'marketplace_builder', 'modules']) {
      const entries = await readdir(join(this.#root, root), { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name)
          .slice(this.#root.length + 1)
          .replaceAll('\\', '/')
        if (entry.isFile() && REQUEST_FILE.test(path)) files.push(path)
      }
    }
    return files.toSorted()
  }
}

interface Opened {
  readonly root: string
  readonly compiler: SiteCompiler
  readonly store: Store
  readonly settings: ReadySettings
  readonly lasting: ReadySettings
  readonly folder: string
  readonly closeDatabase: () => Promise<void>
}

/** The parts of a site that was compiled with its tests. */
interface CompiledParts {
  /** Folder of the build. */
  readonly folder: string
  /** Paths of request files. */
  readonly requests: readonly string[]
  readonly root: string
  readonly sent: string
  readonly trackOptions: (loadedSite: LoadedSite, listeners: TrackListeners) => Promise<TrackOptions>
}

/** Returns why a text could not be compiled. For the harness, the line is left out, because the author did not write it. */
function refusal(errors: Compiled['errors'], { text }: SentText): string | null {
  const [first] = errors
  if (first === undefined) return null
  return text === HARNESS
    ? first.message
    : `Line ${first.line}: ${first.message}${first.hint === null ? '' : ` ${first.hint}`}`
}

/** A site that was compiled with its tests. */
export class CompiledTests {
  readonly #folder: string
  readonly #requests: readonly string[]
  readonly #root: string
  readonly #trackOptions: CompiledParts['trackOptions']
  /** File of the text that was compiled with the site. */
  readonly sent: CompiledParts['sent']
  #builds = new SiteBuilds(runtime)
  #first: LoadedSite | null = null

  constructor({ folder, requests, root, sent, trackOptions }: CompiledParts) {
    this.#folder = folder
    this.#requests = requests
    this.#root = root
    this.sent = sent
    this.#trackOptions = trackOptions
  }

  /** Opens a track, which the caller closes. */
  async track(listeners: TrackListeners = {}): Promise<Track> {
    // Each track has a separate site object, because translations that its tests set are kept for it. The modules are shared.
    await this.#loaded()
    const loadedSite = await this.#builds.loadBeside({ root: this.#root, folder: this.#folder })
    return Track.open(await this.#trackOptions(loadedSite, listeners))
  }

  /** Returns all tests, by name. @throws StartError */
  async tests(): Promise<readonly TestCase[]> {
    const { site } = await this.#loaded()
    const partials = site.partialFiles.filter(({ name }) => isTestName(name))
    const liquid = partials.map(({ name, file }): TestCase => ({ kind: 'liquid', name, file }))
    const requests = this.#requests.map(
      (file): TestCase => ({ kind: 'requests', file, name: file.replace(/^.*?\/(?:lib|views\/partials)\//, '') }),
    )
    return [...liquid, ...requests].toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  }

  /** Runs tests in parallel. @returns the results in the order of the tests, and the coverage if requested */
  async run(
    tests: readonly TestCase[],
    { onResult, coverage: isCounted }: TestRun,
  ): Promise<{ readonly results: readonly TestResult[]; readonly coverage: readonly FileCoverage[] | null }> {
    const coverage = isCounted ? new Coverage() : null
    // Code that was loaded before is not counted, so the site is loaded again.
    if (coverage !== null) {
      this.#first = null
      this.#builds = new SiteBuilds(runtime)
      await coverage.start()
    }
    const results: (TestResult | undefined)[] = tests.map(() => undefined)
    const queue = tests.entries()
    let reported = 0
    const work = async (): Promise<void> => {
      const track = await this.track()
      try {
        // All workers share the iterator, so each test runs once.
        for (const [at, test] of queue) {
          results[at] = await track.run(test)
          for (let done = results[reported]; done !== undefined; done = results[++reported]) onResult(done)
        }
      } finally {
        await track.close()
      }
    }
    await Promise.all(Array.from({ length: Math.min(TRACK_COUNT, tests.length) }, work))
    const all = results.filter((each) => each !== undefined)
    if (coverage === null) return { results: all, coverage: null }
    const code = await readFile(join(this.#folder, 'site.mjs'), 'utf8')
    return { results: all, coverage: await coverage.take(this.#folder, code) }
  }

  async #loaded(): Promise<LoadedSite> {
    this.#first ??= await this.#builds.load({ root: this.#root, folder: this.#folder }, async () => [])
    return this.#first
  }
}
