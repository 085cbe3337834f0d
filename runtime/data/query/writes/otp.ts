/** Writes secrets of one-time passwords, for `user_otp_secret_refresh` and `user_otp_delete_token`. */
import { DEFAULT_OTP } from '../account-host.ts'
import { type Build, type JsonExpression, Leaf, type Selected } from '../model.ts'
import { leafOf } from '../rows/input.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { idParameter, invalidValue } from './columns.ts'
import { replaceLoneSurrogates } from '../../../page/values/well-formed.ts'
import { sql, type Sql } from '../../sql/sql.ts'

type Fields = Readonly<Record<string, unknown>>

const NULL_LEAF = new Leaf(null, { kind: 'constant', value: null }, null)

/** Sets a new secret under a name. Returns no row when the account does not exist. */
export function refreshSecret(call: Selected, build: Build): JsonExpression {
  const secret = build.bind(NULL_LEAF, 'text', (_value, host) => host.accounts.newOtpSecret())
  const changedRows = sql`changed as (insert into ingot.otp_secrets (user_id, name, secret)
    select id, ${nameSql(call, build)}, ${secret} from ingot.users
    where id = ${idParameter(call.args['user_id'], build)} and deleted_at is null
    on conflict (user_id, name) do update set secret = excluded.secret, last_step = null, created_at = clock_timestamp() returning *)`
  return secretResult(changedRows, call, 'refreshed')
}

/** Removes the secret under a name. Returns no row when there is none. */
export function deleteSecret(call: Selected, build: Build): JsonExpression {
  const changedRows = sql`changed as (delete from ingot.otp_secrets where user_id = ${idParameter(call.args['user_id'], build)}
    and name = ${nameSql(call, build)} returning *)`
  return secretResult(changedRows, call, 'deleted')
}

function nameSql(call: Selected, build: Build): Sql {
  const leaf = leafOf(call.args['otp_name'])
  return leaf === null ? build.nameLiteral(DEFAULT_OTP) : build.bind(leaf, 'text', otpName)
}

const MAX_NAME = 100

/**
 * Returns the SQL of a name as it is stored.
 * @throws QueryError for a name that cannot be stored
 */
function otpName(value: unknown): string {
  const text = String(value)
  if (text.length > MAX_NAME || text.includes('\0'))
    throw invalidValue('otp_name', `An \`otp_name\` has at most ${MAX_NAME} characters.`, null)
  return replaceLoneSurrogates(text)
}

function secretResult(changedRows: Sql, call: Selected, status: string): JsonExpression {
  const columns: Readonly<Record<string, Sql>> = { otp_name: sql`name`, user_id: sql`user_id::text` }
  const parts = call.selection.map(({ responseKey, name, type }) => {
    const column = columns[name]
    const text = name === 'status' ? status : call.type.toString()
    return {
      key: responseKey,
      json:
        column === undefined
          ? constantJson(text, scalarResultType(type))
          : { sql: column, shape: null, type: scalarResultType(type) },
    }
  })
  const row = objectJson(parts, call.range)
  return {
    sql: sql`with ${changedRows} select ${row.sql} from changed`,
    shape: null,
    type: wrapType(call.type, row.type),
  }
}

/** Returns the error message when the account does not exist. */
export function missingUser({ user_id: id }: Fields): string {
  return `Can't find User with id=${String(id)}`
}

/** Returns the error message when there is no secret to remove. */
export function missingSecret({ user_id: id, otp_name: name }: Fields): string {
  return `Can't find one-time passwords \`${String(name ?? DEFAULT_OTP)}\` of User with id=${String(id)}`
}
