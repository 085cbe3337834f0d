/** Statements of accounts: on the database itself, in little time, and with one error where it is away. */
import type { SqlStatement } from '../../runtime/data/sql/sql.ts'
import type { ResultRows, Statements } from '../graphql/database/statements.ts'
import { newMeter } from '../contracts/meter.ts'
import { SessionsAway } from '../site/session.ts'

/** Runs a statement. @throws SessionsAway */
export type RunAccountStatement = (statement: SqlStatement, kind: 'read' | 'write') => Promise<ResultRows>

/** Seconds that one statement gets. */
const TIMEOUT = 5

export function createAsk(statements: Statements): RunAccountStatement {
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
