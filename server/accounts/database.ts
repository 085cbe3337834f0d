/** Statements of accounts: on the database itself, in little time, and with one error where it is away. */
import type { ResultRows, Statements } from '../graphql/database/statements.ts'
import { newMeter } from '../contracts/meter.ts'
import { SessionsAway } from '../site/session.ts'

/** Runs a statement. @throws SessionsAway */
export type RunAccountStatement = (
  text: string,
  values: readonly unknown[],
  kind: 'read' | 'write',
) => Promise<ResultRows>

/** Seconds that one statement gets. */
const TIMEOUT = 5

export function createAsk(statements: Statements): RunAccountStatement {
  return async (text, values, kind) => {
    const meter = newMeter()
    const options = { write: kind === 'write', replica: false, timeout: TIMEOUT, connection: null, meter }
    try {
      return await statements.run(text, values, options)
    } catch (error) {
      throw meter.unreachable ? new SessionsAway('the database of accounts is away', { cause: error }) : error
    }
  }
}
