/**
 * The interface of the queue. Jobs are queued by SQL in the open transaction, so that jobs of a rolled-back transaction
 * never run.
 */
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import type { JobRequest } from '../../../runtime/data/jobs.ts'

/** Runs a statement in the caller's transaction or on any free connection. Rows are lists of texts. */
export type RunStatement = (statement: SqlStatement) => Promise<readonly (readonly unknown[])[]>

/**
 * Queues jobs with one statement.
 * @returns their ids in order
 * @throws LiquidFault for values that cannot be stored
 */
export type Enqueue = (jobs: readonly JobRequest[], run: RunStatement) => Promise<readonly string[]>
