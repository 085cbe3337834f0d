/**
 * Runs a site's tests for pages and jobs of the platform's module, like `ingot test`: each test in a transaction that is rolled back, on a
 * separate connection, one run after the other.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TableIds } from '../../web/app-options.ts'
import type { Logger, SiteLog } from '../../core/contracts/log.ts'
import { readSecret } from '../../web/graphql/values/secrets.ts'
import type { Reply, Request } from '../../web/http/message.ts'
import type { QueuedJob } from '../../operate/jobs/task/request.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import type { Store } from '../../data/store/store.ts'
import { isolateSettings } from './isolated-settings.ts'
import { Track } from './track.ts'
import { Turns } from '../../core/turns.ts'

export interface ServedTestsOptions {
  readonly settings: ReadySettings
  readonly version: string
  readonly logger: Logger
  readonly store: Store
  /** Receives what tests log. */
  readonly log: SiteLog
}

/** A served site. */
export interface ServedSite {
  readonly loadedSite: LoadedSite
  readonly ids: TableIds
}

export class ServedTests {
  readonly #options: ServedTestsOptions
  /** Temporary folder, created for the first run, because most processes run no tests. */
  #folder: string | null = null
  #track: { readonly loadedSite: LoadedSite; readonly track: Track } | null = null
  /** Runs wait for each other. */
  readonly #turns = new Turns()

  constructor(options: ServedTestsOptions) {
    this.#options = options
  }

  /** Answers a request for a page that runs tests. */
  answer(site: ServedSite, request: Request): Promise<Reply> {
    return this.#inTurn(site, (track) => track.runAndRollBack(async (app) => app.handler(request)))
  }

  /** Executes a job that runs tests. @throws the error of the job */
  job(site: ServedSite, id: string, job: QueuedJob, seconds: number): Promise<void> {
    return this.#inTurn(site, (track) => track.job(id, job, seconds))
  }

  async close(): Promise<void> {
    await this.#turns.ended()
    await this.#track?.track.close()
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }

  #inTurn<T>(site: ServedSite, act: (track: Track) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => act(await this.#openTrack(site)))
  }

  async #openTrack({ loadedSite, ids }: ServedSite): Promise<Track> {
    if (this.#track?.loadedSite === loadedSite) return this.#track.track
    await this.#track?.track.close()
    this.#track = null
    const { settings: given, version, logger, store, log } = this.#options
    this.#folder ??= await mkdtemp(join(tmpdir(), 'ingot-runs-'))
    const settings = isolateSettings(given, this.#folder, readSecret(given.secret, given.dataFolder))
    const read = (file: string): string => loadedSite.source(file) ?? ''
    const track = await Track.open({
      loadedSite,
      ids,
      store,
      settings,
      version,
      logger,
      log,
      read,
      isolatesTests: true,
    })
    this.#track = { loadedSite, track }
    return track
  }
}
