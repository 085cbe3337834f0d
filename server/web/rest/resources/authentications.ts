/**
 * The resource `authentications`: links of users to accounts at other providers. A sign-in or a mutation creates them; a user deletes
 * own ones, without a form of the site.
 */
import { parameter, sql, type Sql, toStatement } from '../../../../runtime/data/sql/sql.ts'
import { type Deletion, type DeletionResult, type RestResource, withNumericId } from '../resource.ts'

/** Timeout of a statement in seconds. */
const TIMEOUT = 10

export const authentications: RestResource = {
  paths: ['/api/authentications'],
  resource: null,
  operations: { single: ['delete'], all: [] },
  createReplyBody: withNumericId,
  remove: unlink,
}

const LAST_WAY =
  'This is the only way to sign in to this account: set a password, or link another account, before you remove it.'

/**
 * Deletes a link: a user's own one, or any one for a trusted client. A user without a password keeps the last one with which signing in is
 * possible.
 */
function unlink({ query, id, viewer, isTrusted, providers }: Deletion): Promise<DeletionResult> {
  return query.transaction(async (transaction) => {
    const run = (statement: Sql) =>
      transaction.run(toStatement(statement), { write: true, replica: false, timeout: TIMEOUT })
    // The lock of the user lets concurrent requests of one user run one after another, so that they cannot remove all links together.
    const [[owner, hasPassword] = []] = await run(
      sql`select u.id::text, u.encrypted_password is not null from ingot.users u
        where u.id = (select a.user_id from ingot.authentications a where a.id = ${parameter(id, 'bigint')} and a.deleted_at is null)
        for update`,
    )
    if (typeof owner !== 'string' || (!isTrusted && owner !== viewer)) return { kind: 'missing' }
    if (!isTrusted && hasPassword !== true) {
      const known = parameter(arrayText(providers), 'text[]')
      const others = await run(
        sql`select from ingot.authentications o, ingot.authentications a
          where a.id = ${parameter(id, 'bigint')} and o.user_id = a.user_id and o.id <> a.id and o.deleted_at is null
          and o.uid is not null and (o.provider = any(${known}) or a.provider <> all(${known}))`,
      )
      if (others.length === 0) return { kind: 'refused', message: LAST_WAY }
    }
    const deleted = await run(
      sql`delete from ingot.authentications where id = ${parameter(id, 'bigint')} and user_id = ${parameter(owner, 'bigint')} returning 1`,
    )
    return { kind: deleted.length > 0 ? 'done' : 'missing' }
  })
}

/** Returns the names of providers, which have only letters, digits and `_`, as the text of an array. */
function arrayText(names: readonly string[]): string {
  return `{${names.join(',')}}`
}
