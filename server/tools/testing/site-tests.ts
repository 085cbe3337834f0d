/** The tests of a site, compiled with it, and the tracks on which they run. */
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Sql } from 'postgres'
import * as runtime from '../../../runtime/index.ts'
import { isTestName } from '../../../runtime/page/test-names.ts'
import type { TableIds } from '../../web/app.ts'
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
import { isolated } from './isolated.ts'
import type { TestCase, TestResult } from './model.ts'
import { Track, type TrackListeners, type TrackOptions } from './track.ts'

export interface TestingOptions {
  /** Folder of the site. */
  readonly dir: string
  readonly settings: Settings
  readonly version: string
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Path of the thread module, in which migrations run. */
  readonly thread: string
}

/** A run of tests. */
export interface TestRun {
  /** Told of each result, in the order of the tests. */
  readonly onResult: (result: TestResult) => void
  readonly coverage: boolean
}

function refusedDatabase(host: string): string {
  return `This is the database of a production: a server on '${host}' serves it. What is tried out never touches it: set DATABASE_URL to another database.`
}

/** A text that is compiled with the site. */
export interface SentPiece {
  readonly text: string
  readonly format: 'txt' | 'html'
}

/** Calls partials by a name that only a run knows, so that the compiler makes all of them callable. */
export const HARNESS = '{% include context.params.name %}{% function given = context.params.name %}{{ given }}'
/** Tests that run side by side: while one waits for the database, another one renders. */
const TRACKS = 4
/** Folders of requests, below the roots of a site and its modules. */
const REQUEST_FILE =
  /^(?:(?:app|marketplace_builder)\/|(?:app\/)?modules\/[^/]+\/(?:public|private)\/)(?:lib|views\/partials)\/.*_test\.ya?ml$/

export class SiteTests {
  readonly #root: string
  readonly #options: TestingOptions
  readonly #compiler: SiteCompiler
  readonly #store: Store
  readonly #settings: ReadySettings
  /** As `ingot dev` has them: migrations stay. */
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

  /** Opens the site's database. @throws StartError, also for one that is in production */
  static async open(options: TestingOptions): Promise<SiteTests> {
    const { dir, settings, bin } = options
    if (settings.environment === 'production')
      throw new StartError(
        'Nothing is tried out in production, and no tests run there: set INGOT_ENV to development or staging.',
      )
    const root = resolve(dir)
    const logger = createLogger('warn', true, process.stderr)
    const compiler = new SiteCompiler(bin)
    compiler.start()
    try {
      const database = await openDatabase(settings, root, logger)
      const { databaseUrl, dataFolder } = database.settings
      try {
        // Before its tables are migrated.
        const production = await productionServer(databaseUrl)
        if (production !== null) throw new StartError(refusedDatabase(production))
        const store = await openStore({ url: databaseUrl, replicaUrl: null, pool: 2, logger })
        await installQueue(databaseUrl, store.sql)
        const folder = await mkdtemp(join(tmpdir(), 'ingot-tests-'))
        const own = isolated(database.settings, folder, readSecret(settings.secret, dataFolder))
        const opened = { root, compiler, store, settings: own, lasting: database.settings, folder }
        return new SiteTests(options, { ...opened, closeDatabase: () => database.close() })
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
   * Compiles the site as it stands in its folder.
   * @param piece a text that is compiled with it
   * @throws StartError where that is not possible
   */
  async compile(piece: SentPiece = { text: HARNESS, format: 'txt' }): Promise<CompiledTests> {
    await rm(join(this.#folder, String(this.#builds)), { recursive: true, force: true })
    const out = join(this.#folder, String(++this.#builds))
    const compiled = await this.#compiler.compileSent(this.#root, piece.text, out, true, piece.format)
    const { sent, errors, failure } = compiled
    if (sent === null) throw new StartError(refusal(errors, piece) ?? failure ?? 'The site could not be compiled.')
    this.#files = await this.#requestFiles()
    let prepared: Promise<TableIds> | null = null
    const ids = (loaded: LoadedSite): Promise<TableIds> => (prepared ??= this.#prepare(loaded, out))
    const trackOf = async (loaded: LoadedSite, heard: TrackListeners) => ({
      ...this.#trackOf(loaded, await ids(loaded)),
      ...heard,
    })
    return new CompiledTests({ folder: out, requests: this.#files, root: this.#root, sent, trackOf })
  }

  /** The site's own database, beside all tests. */
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

  /** The database as `ingot dev` would leave it: with the tables of the site, its migrations done. */
  async #prepare({ site }: LoadedSite, folder: string): Promise<TableIds> {
    const { ids } = await this.#store.prepare(site.data, null)
    if (site.migrations.length === 0) return ids
    const { migrateSite } = await import('../../operate/jobs/migrations/migrate-site.ts')
    const { thread: file, version } = this.#options
    const source = { kind: 'built', built: { root: this.#root, folder } } as const
    const thread = { file, source, settings: this.#lasting, version }
    const log = { keep: () => undefined, failed: () => undefined }
    await migrateSite({ sql: this.#store.sql, site, thread, logger: this.#logger, log })
    return ids
  }

  #trackOf(loaded: LoadedSite, ids: TableIds): TrackOptions {
    const read = (file: string): string => readFileSync(join(this.#root, file), 'utf8')
    const { version } = this.#options
    return { loaded, ids, store: this.#store, settings: this.#settings, version, logger: this.#logger, read }
  }

  async #requestFiles(): Promise<readonly string[]> {
    const found: string[] = []
    for (const root of ['app', 'marketplace_builder', 'modules']) {
      const entries = await readdir(join(this.#root, root), { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name)
          .slice(this.#root.length + 1)
          .replaceAll('\\', '/')
        if (entry.isFile() && REQUEST_FILE.test(path)) found.push(path)
      }
    }
    return found.toSorted()
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

/** What a site that was compiled with its tests is made of. */
interface CompiledParts {
  /** Of the build. */
  readonly folder: string
  /** Files of requests. */
  readonly requests: readonly string[]
  readonly root: string
  readonly sent: string
  readonly trackOf: (loaded: LoadedSite, listeners: TrackListeners) => Promise<TrackOptions>
}

/** Why a text could not be compiled; of one that is not the author's own only what is said of the site. */
function refusal(errors: Compiled['errors'], { text }: SentPiece): string | null {
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
  readonly #trackOf: CompiledParts['trackOf']
  /** File of the text that was compiled with it. */
  readonly sent: CompiledParts['sent']
  #builds = new SiteBuilds(runtime)
  #first: LoadedSite | null = null

  constructor({ folder, requests, root, sent, trackOf }: CompiledParts) {
    this.#folder = folder
    this.#requests = requests
    this.#root = root
    this.sent = sent
    this.#trackOf = trackOf
  }

  /** Opens a track, which the caller closes. */
  async track(listeners: TrackListeners = {}): Promise<Track> {
    // Each track has a site of its own, for translations that its tests set are laid over it; the modules are the same.
    await this.#loaded()
    const loaded = await this.#builds.loadBeside({ root: this.#root, folder: this.#folder })
    return Track.open(await this.#trackOf(loaded, listeners))
  }

  /** All tests, by name. @throws StartError */
  async tests(): Promise<readonly TestCase[]> {
    const { site } = await this.#loaded()
    const partials = site.partialFiles.filter(({ name }) => isTestName(name))
    const liquid = partials.map(({ name, file }): TestCase => ({ kind: 'liquid', name, file }))
    const requests = this.#requests.map(
      (file): TestCase => ({ kind: 'requests', file, name: file.replace(/^.*?\/(?:lib|views\/partials)\//, '') }),
    )
    return [...liquid, ...requests].toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  }

  /** Runs tests side by side. @returns the results in the order of the tests, and the coverage where it is wanted */
  async run(
    tests: readonly TestCase[],
    { onResult, coverage: isCounted }: TestRun,
  ): Promise<{ readonly results: readonly TestResult[]; readonly coverage: readonly FileCoverage[] | null }> {
    const coverage = isCounted ? new Coverage() : null
    // What was loaded before is not counted.
    if (coverage !== null) {
      this.#first = null
      this.#builds = new SiteBuilds(runtime)
      await coverage.start()
    }
    const results: (TestResult | undefined)[] = tests.map(() => undefined)
    let [next, shown] = [0, 0]
    const work = async (): Promise<void> => {
      const track = await this.track()
      try {
        for (let at = next++; at < tests.length; at = next++) {
          results[at] = await track.run(tests[at] as TestCase)
          for (let done = results[shown]; done !== undefined; done = results[++shown]) onResult(done)
        }
      } finally {
        await track.close()
      }
    }
    await Promise.all(Array.from({ length: Math.min(TRACKS, tests.length) }, work))
    const all = results.filter((each) => each !== undefined)
    if (coverage === null) return { results: all, coverage: null }
    const code = await readFile(join(this.#folder, 'site.mjs'), 'utf8')
    return { results: all, coverage: await coverage.taken(this.#folder, code) }
  }

  async #loaded(): Promise<LoadedSite> {
    this.#first ??= await this.#builds.load({ root: this.#root, folder: this.#folder }, async () => [])
    return this.#first
  }
}
