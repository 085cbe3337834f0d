/** The queue: jobs are put into it by SQL, in the transaction that is open, so that what is undone is never done later. */
import type { SqlStatement } from '../../runtime/data/sql/sql.ts'
import type { JobRequest } from '../../runtime/data/jobs.ts'

/** Runs a statement where the caller is: in its transaction, or on any free connection. Gives rows as lists of texts. */
export type RunStatement = (statement: SqlStatement) => Promise<readonly (readonly unknown[])[]>

/** Puts jobs into the queue, all with one statement. @returns their ids in order @throws LiquidFault for what cannot be stored */
export type Enqueue = (jobs: readonly JobRequest[], run: RunStatement) => Promise<readonly string[]>
