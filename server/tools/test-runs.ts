/** Runs tests for pages and jobs of the platform's module. Opened on first use, and disabled in production. */
import type { Reply, Request } from '../web/http/message.ts'
import { isTestRun, runsTests } from '../core/contracts/test-runs.ts'
import type { QueuedJob } from '../operate/jobs/task/request.ts'
import type { ServedSite, ServedTests, ServedTestsOptions } from './testing/served-tests.ts'

export class TestRuns {
  readonly #options: ServedTestsOptions
  #opened: Promise<ServedTests> | null = null

  constructor(options: ServedTestsOptions) {
    this.#options = options
  }

  /** Answers a page that runs tests; returns null for other pages. */
  readonly answer = (site: ServedSite, request: Request): Promise<Reply> | null => {
    if (!runsTests(request.path) || !this.#hasTestModule(site)) return null
    return this.#open().then((tests) => tests.answer(site, request))
  }

  /** Executes a job that runs tests; returns null for other jobs. */
  readonly job = (site: ServedSite, id: string, job: QueuedJob, seconds: number): Promise<void> | null => {
    if (job.task.kind !== 'unit' || !isTestRun(job.task.unit) || !this.#hasTestModule(site)) return null
    return this.#open().then((tests) => tests.job(site, id, job, seconds))
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  /** Returns whether a site has the platform's test module, outside of production. */
  #hasTestModule({ loadedSite: { site } }: ServedSite): boolean {
    const isProduction = this.#options.settings.environment === 'production'
    return !isProduction && site.pages.some(({ file }) => file.includes('modules/tests/'))
  }

  #open(): Promise<ServedTests> {
    // Loaded here, because most processes never need it.
    this.#opened ??= import('./testing/served-tests.ts').then(({ ServedTests: Tests }) => new Tests(this.#options))
    return this.#opened
  }
}
