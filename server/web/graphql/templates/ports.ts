/** The database ports of templates other than GraphQL: transactions, and jobs that are queued within them. */
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { JobOrigin } from '../../../../runtime/data/jobs.ts'
import { QueryError } from '../../../../runtime/data/query/model.ts'
import { didYouMean } from '../../../../runtime/data/query/suggest.ts'
import type { JobPort, TransactionPort } from '../../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { JobRequest } from '../../../../runtime/data/jobs.ts'
import { enqueue } from '../../../data/queue/enqueue.ts'
import type { RunStatement } from '../../../data/queue/queue.ts'
import type { RequestDatabase } from '../database/request-database.ts'

/** Timeout of a queue statement in seconds. */
const TIMEOUT = 10

/** Returns a function that runs queue statements in the request's transaction. */
export function createQueueRunner(database: Pick<RequestDatabase, 'run'>): RunStatement {
  return (statement) => database.run(statement, { write: true, replica: false, timeout: TIMEOUT })
}

export function createTransactionPort(database: RequestDatabase): TransactionPort {
  return {
    run: ({ timeout }, body) => database.block(timeout, body),
    rollback: () => database.rollback(),
  }
}

/**
 * Creates the job port of a request or job.
 * @param origin read whenever a job is queued
 * @param onQueued called with queued jobs and their ids
 */
export function createJobPort(
  site: CompiledSite,
  database: RequestDatabase,
  origin: () => JobOrigin,
  onQueued: (jobs: readonly JobRequest[], ids: readonly string[]) => void,
): JobPort {
  const run = createQueueRunner(database)
  return {
    async enqueue(unit, values, options) {
      if (!Object.hasOwn(site.jobs, unit) && !Object.hasOwn(site.partials, unit)) {
        const hint = didYouMean(unit, [...new Set([...Object.keys(site.jobs), ...Object.keys(site.partials)])])
        throw new LiquidFault(`can't find partial ${unit}${hint === undefined ? '' : `. ${hint}`}`)
      }
      const jobs: readonly JobRequest[] = [{ task: { kind: 'unit', unit, values }, origin: origin(), options }]
      const ids = await queueJobs(jobs, run)
      onQueued(jobs, ids)
      return ids[0] ?? ''
    },
  }
}

/**
 * Adds jobs to the queue and returns their ids.
 * @throws LiquidFault for values that cannot be stored, and when the queue is unreachable
 */
export async function queueJobs(jobs: readonly JobRequest[], run: RunStatement): Promise<readonly string[]> {
  try {
    return await enqueue(jobs, run)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const fault = new LiquidFault(`the job was not queued: ${error.message}`)
    fault.cause = error
    throw fault
  }
}
