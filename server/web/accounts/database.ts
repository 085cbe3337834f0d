/**
 * Runs the statements of accounts: directly on the database, with a short timeout, and with one error when it is
 * unavailable.
 */
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import type { ResultRows, Statements } from '../graphql/database/statements.ts'
import { newMeter } from '../../core/contracts/meter.ts'
import { SessionsAway } from '../site/session.ts'

/** Runs a statement. @throws SessionsAway */
export type RunAccountStatement = (statement: SqlStatement, kind: 'read' | 'write') => Promise<ResultRows>

/** Timeout of one statement, in seconds. */
const TIMEOUT = 5

export function createAccountRunner(statements: Statements): RunAccountStatement {
  return async (statement, kind) => {
    const meter = newMeter()
    const options = { write: kind === 'write', replica: false, timeout: TIMEOUT, connection: null, meter }
    try {
      return await statements.run(statement, options)
    } catch (error) {
      throw meter.unreachable ? new SessionsAway('the database of accounts is away', { cause: error }) : error
    }
  }
}
