/** Runs of tests by pages and jobs of the platform's module: opened when the first is asked for, and never in production. */
import type { Reply, Request } from '../web/http/message.ts'
import { isTestRun, runsTests } from '../core/contracts/test-runs.ts'
import type { QueuedJob } from '../operate/jobs/task/request.ts'
import type { ServedSite, ServedTests, ServedTestsOptions } from './testing/served.ts'

export class TestRuns {
  readonly #options: ServedTestsOptions
  #opened: Promise<ServedTests> | null = null

  constructor(options: ServedTestsOptions) {
    this.#options = options
  }

  /** Null for a page that runs no tests. */
  readonly answer = (site: ServedSite, request: Request): Promise<Reply> | null => {
    if (!runsTests(request.path) || !this.#isThere(site)) return null
    return this.#open().then((tests) => tests.answer(site, request))
  }

  /** Null for a job that runs none. */
  readonly job = (site: ServedSite, id: string, job: QueuedJob, seconds: number): Promise<void> | null => {
    if (job.task.kind !== 'unit' || !isTestRun(job.task.unit) || !this.#isThere(site)) return null
    return this.#open().then((tests) => tests.job(site, id, job, seconds))
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  /** Whether a site has the module. */
  #isThere({ loaded: { site } }: ServedSite): boolean {
    const isProduction = this.#options.settings.environment === 'production'
    return !isProduction && site.pages.some(({ file }) => file.includes('modules/tests/'))
  }

  #open(): Promise<ServedTests> {
    // Loaded here, because most processes never need it.
    this.#opened ??= import('./testing/served.ts').then(({ ServedTests: Tests }) => new Tests(this.#options))
    return this.#opened
  }
}
