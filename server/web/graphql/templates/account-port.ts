/** Checks account tokens for filters. */
import { prepared, sql } from '../../../../runtime/data/sql/sql.ts'
import type { AccountPort } from '../../../../runtime/page/services.ts'
import { newMeter } from '../../../core/contracts/meter.ts'
import type { GraphqlProcess } from '../process.ts'

/** Selects the hash of a user's password. */
export const selectPasswordHash = prepared<[id: string]>(
  (id) => sql`select encrypted_password from ingot.users where id = ${id}::text::bigint and deleted_at is null`,
)
const READ_OPTIONS = { write: false, replica: false, timeout: 5, connection: null } as const

/** Creates the account port of a process. */
export function createAccountPort({ statements, accountTokens, tokens }: GraphqlProcess): AccountPort {
  return {
    async isTokenOf(token, userId) {
      const [id] = /^\d{1,18}$/.exec(userId.trim()) ?? []
      if (id === undefined || token === '') return false
      const [row] = await statements.run(selectPasswordHash(id), { ...READ_OPTIONS, meter: newMeter() })
      if (row === undefined) return false
      const password = row[0] === null ? null : String(row[0])
      return accountTokens.isTemporary({ id, password }, token)
    },
    isAccessKey: async (key) => {
      const bearer = await tokens.bearer(key)
      // A user's token is not an access key of the site.
      return bearer !== null && bearer.user === null
    },
  }
}
