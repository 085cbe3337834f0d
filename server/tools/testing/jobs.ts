/** Runs the jobs that a test queues, inside of its transaction, as soon as the queuing operation is done. */
import type { Sql } from 'postgres'
import { changedData } from '../../web/site/changed-data.ts'
import type { RequestData } from '../../web/site/host.ts'
import { readJob, type QueuedJob } from '../../operate/jobs/task/request.ts'

/** Maximum number of jobs of one test, because jobs may queue each other endlessly. */
const MAX_JOBS = 1_000

export class TestJobs {
  readonly #sql: Sql
  readonly #run: (id: string, job: QueuedJob) => Promise<void>
  #queued: string[] = []
  #count = 0
  /** Errors of failed jobs. */
  failures: unknown[] = []

  /** @param run executes a job, and throws its error */
  constructor(sql: Sql, run: (id: string, job: QueuedJob) => Promise<void>) {
    this.#sql = sql
    this.#run = run
  }

  /** Called with every statement of the test. */
  readonly onStatement = (text: string, rows: unknown): void => {
    if (!text.includes('graphile_worker.add_job') || !Array.isArray(rows)) return
    for (const row of rows) if (Array.isArray(row)) this.#queued.push(String(row[0]))
  }

  /** Called when another test begins. */
  reset(): void {
    this.#queued = []
    this.#count = 0
    this.failures = []
  }

  /** Wraps data, so that queued jobs have run when an operation returns. */
  readonly wrap = (data: RequestData): RequestData => {
    const done = async <T>(work: Promise<T>): Promise<T> => {
      const value = await work
      if (!data.inTransaction()) await this.#drain()
      return value
    }
    return changedData(data, {
      graphql: { ...data.graphql, run: (...args) => done(data.graphql.run(...args)) },
      jobs: { ...data.jobs, enqueue: (...args) => done(data.jobs.enqueue(...args)) },
      queue: (jobs) => done(data.queue(jobs)),
      transactions: { ...data.transactions, run: (...args) => done(data.transactions.run(...args)) },
    })
  }

  /** Runs due jobs. Delayed jobs and jobs that were rolled back do not run. */
  async #drain(): Promise<void> {
    for (let id = this.#queued.shift(); id !== undefined; id = this.#queued.shift()) {
      const [row] = await this.#sql<{ payload: string }[]>`
        delete from graphile_worker._private_jobs where id = ${id} and run_at <= clock_timestamp()
        returning payload::text as payload`
      if (row === undefined) continue
      if (++this.#count > MAX_JOBS) {
        this.failures.push(new Error(`The test has queued more than ${MAX_JOBS} jobs.`))
        return
      }
      const job = readJob(row.payload)
      if (job === null) continue
      await this.#run(id, job).catch((error: unknown) => this.failures.push(error))
    }
  }
}
