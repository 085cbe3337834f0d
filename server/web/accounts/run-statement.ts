/** Runs the database statements of accounts, with a short timeout and one error type for an unavailable database. */
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import type { ResultRows, Statements } from '../graphql/database/statements.ts'
import { newMeter } from '../../core/contracts/meter.ts'
import { SessionsAway } from '../site/session.ts'

/**
 * Runs a statement.
 * @throws SessionsAway when the database is unavailable
 */
export type RunAccountStatement = (statement: SqlStatement, kind: 'read' | 'write') => Promise<ResultRows>

/** Timeout of one statement in seconds. */
const TIMEOUT = 5

/** Creates the function that runs the statements of accounts. */
export function createAccountRunner(statements: Statements): RunAccountStatement {
  return async (statement, kind) => {
    const meter = newMeter()
    const options = { write: kind === 'write', replica: false, timeout: TIMEOUT, connection: null, meter }
    try {
      return await statements.run(statement, options)
    } catch (error) {
      throw meter.unreachable ? new SessionsAway('the database of accounts is unavailable', { cause: error }) : error
    }
  }
}
