/** Tokens with which programs act as a user. The database creates the text of a token, and stores only its digest. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { leafOf } from '../rows/input.ts'
import { plainRow } from '../rows/plain-collection.ts'
import { timeJson } from '../rows/property-json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { USER_TOKEN_DAYS } from '../user-token-days.ts'
import { checkLiteral, columnText, idParameter, invalidValue } from './columns.ts'
import { identifier, integer, sql, type Sql } from '../../sql/sql.ts'

type Fields = Readonly<Record<string, unknown>>

const MAX_NAME = 200

/** Creates a token. No row is returned when the user does not exist. */
export function createUserToken(call: Selected, build: Build): JsonExpression {
  const { user_id: user, name, scope, days } = call.args
  const scopeLeaf = leafOf(scope)
  const scopeSql = scopeLeaf === null ? build.nameLiteral('site') : build.bind(scopeLeaf, 'text')
  const changedRows = sql`select * from ingot.create_user_token(
    ${idParameter(user, build)}, ${nameSql(name, build)}, ${scopeSql}, ${daysSql(days, build)})`
  return tokenResult(changedRows, call, build)
}

/** Revokes a token. No row is returned when the user has no valid token with this id. */
export function revokeUserToken(call: Selected, build: Build): JsonExpression {
  const changedRows = sql`update ingot.user_tokens set revoked_at = now()
    where id = ${idParameter(call.args['id'], build)} and user_id = ${idParameter(call.args['user_id'], build)}
    and revoked_at is null and expires_at > now() returning *, null::text as token`
  return tokenResult(changedRows, call, build)
}

function nameSql(input: Input | undefined, build: Build): Sql {
  const leaf = leafOf(input)
  if (leaf === null) return build.nameLiteral('token')
  const convert = (value: unknown): string => {
    const text = columnText('name', 'text', value, leaf.range)
    if (text.length > MAX_NAME)
      throw invalidValue('name', `The \`name\` of a token has at most ${MAX_NAME} characters.`, leaf.range)
    return text
  }
  checkLiteral(leaf, convert, build)
  return build.bind(leaf, 'text', convert)
}

function daysSql(input: Input | undefined, build: Build): Sql {
  const leaf = leafOf(input)
  if (leaf === null) return integer(USER_TOKEN_DAYS.default)
  const convert = (value: unknown): unknown => {
    if (!(Number(value) >= 1 && Number(value) <= USER_TOKEN_DAYS.most))
      throw invalidValue('days', `\`days\` must be from 1 to ${USER_TOKEN_DAYS.most}.`, leaf.range)
    return value
  }
  checkLiteral(leaf, convert, build)
  return build.bind(leaf, 'integer', convert)
}

function tokenResult(changedRows: Sql, call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('t')
  const row = plainRow(call, tokenField(alias))
  return {
    sql: sql`with changed as (${changedRows}) select ${row.sql} from changed as ${alias}`,
    shape: row.shape,
    type: wrapType(call.type, row.type),
  }
}

function tokenField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const column = sql`${alias}.${identifier(call.name)}`
    const isTime = call.name === 'created_at' || call.name === 'expires_at'
    return { sql: isTime ? timeJson(column) : sql`${column}::text`, shape: null, type: scalarResultType(call.type) }
  }
}

/** Returns the error message when there is no token to revoke. */
export function missingToken({ id, user_id: user }: Fields): string {
  return `Can't find a valid token with id=${String(id)} of User with id=${String(user)}`
}
