/** Ends sessions of users. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { plainText } from '../rows/comparison-values.ts'
import { leafOf } from '../rows/input.ts'
import { sql } from '../../sql/sql.ts'
import { idParameter } from './columns.ts'
import { countStatement } from './result.ts'

/** Deletes the session of a user with the given id, or all sessions of the user when no id is given. */
export function endSessions(call: Selected, build: Build): JsonExpression {
  const id = leafOf(call.args['id'])
  const session = id === null ? sql`null::text` : build.bind(id, 'text', plainText)
  const changedRows = sql`changed as (delete from ingot.sessions
    where user_id = ${idParameter(call.args['user_id'], build)} and (${session} is null or encode(id, 'hex') = ${session})
    returning 1)`
  return countStatement(changedRows, call)
}
