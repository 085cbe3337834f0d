/**
 * The fields of a user that concern credentials: checks, tokens and one-time passwords. The host computes them from the
 * row and the arguments.
 */
import { getNamedType, isEnumType } from 'graphql'
import { TEMPORARY_TOKEN_HOURS } from '../temporary-token.ts'
import { DEFAULT_OTP, DeferredValue, type AccountWithEmail } from '../account-host.ts'
import type { Build, JsonExpression, ResultType, Selected, Shape, ShapeHost } from '../model.ts'
import { plainArguments } from '../project.ts'
import { Safe } from '../../../page/values/safe.ts'
import { constantJson, jsonList, jsonObject, jsonText, objectJson } from './json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { hasDirective } from '../schema-directives.ts'
import { timeJson } from './property-json.ts'
import type { RowScope } from './scope.ts'
import { identifier, join, literal, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns the JSON of a credential field; null for any other field. */
export function credentialJson(call: Selected, scope: RowScope, build: Build): JsonExpression | null {
  if (scope.rows !== 'users') return null
  switch (call.name) {
    case 'encrypted_password':
      return { sql: sql`${scope.alias}.encrypted_password`, shape: null, type: scalarResultType(call.type) }
    case 'otp_tokens':
      return { sql: otpNamesSql(scope), shape: null, type: scalarResultType(call.type) }
    case 'authentications':
      return authenticationsJson(call, scope)
    case 'temporary_token':
      return computedScalar(call, scope, (account, args, host) => host.accounts.temporaryToken(account, hoursOf(args)))
    case 'jwt_token':
      build.markDeferred()
      return computedScalar(call, scope, (account, args, host) => {
        const seconds = typeof args['expires_in'] === 'number' ? args['expires_in'] : null
        return new DeferredValue(() => host.accounts.jwt(account, algorithmOf(args), seconds))
      })
    case 'authenticate':
      build.markDeferred()
      return computedObject(call, scope, authenticatePart)
    case 'otp':
      build.markDeferred()
      return computedObject(call, scope, otpPart(build.options.floats === true))
    default:
      return null
  }
}

function hoursOf(args: Fields): number {
  const hours = args['valid_for'] ?? args['expires_in']
  return typeof hours === 'number' ? hours : TEMPORARY_TOKEN_HOURS
}

function algorithmOf({ algorithm, jwt_algorithm }: Fields): string {
  const requestedAlgorithm = algorithm ?? jwt_algorithm
  return typeof requestedAlgorithm === 'string' ? requestedAlgorithm : 'HS256'
}

/**
 * Returns the JSON of the columns that credentials are computed from. The completion of the result replaces it, so that the password hash
 * is not returned.
 */
function accountSql({ alias }: RowScope): Sql {
  return jsonObject([
    { key: 'id', value: sql`${alias}.id::text` },
    { key: 'password', value: sql`${alias}.encrypted_password` },
    { key: 'email', value: sql`${alias}.email` },
  ])
}

type AccountRow = AccountWithEmail

/** Returns whether a value is the JSON of `accountSql`. */
function isAccountRow(value: unknown): value is AccountRow {
  return isObject(value) && typeof value['id'] === 'string'
}

function otpNamesSql({ alias }: RowScope): Sql {
  return sql`(select coalesce(json_agg(o.name order by o.name), '[]'::json) from ingot.otp_secrets o where o.user_id = ${alias}.id)`
}

type ComputeFromAccount = (account: AccountRow, args: Fields, host: ShapeHost) => unknown

/** Returns the JSON of a scalar that the host computes from the user's row. */
function computedScalar(call: Selected, scope: RowScope, make: ComputeFromAccount): JsonExpression {
  const expression = accountSql(scope)
  const shape: Shape = (value, host, variables) =>
    isAccountRow(value) ? make(value, plainArguments(call.args, variables), host) : null
  return {
    sql: expression,
    shape,
    type: scalarResultType(call.type),
    column: { sql: jsonText(expression), reads: 'json' },
  }
}

/**
 * Returns the JSON of an object whose fields the host computes from the user's row, the arguments of the object, and the arguments of its
 * fields.
 */
function computedObject(
  call: Selected,
  scope: RowScope,
  part: (
    name: string,
    row: AccountRow,
    fieldArguments: Fields,
    args: Fields,
    host: ShapeHost,
  ) => () => Promise<unknown>,
): JsonExpression {
  const typename = call.type.toString().replace(/!$/, '')
  const shape: Shape = (value, host, variables) => {
    if (!isAccountRow(value)) return null
    const ownArguments = plainArguments(call.args, variables)
    // Has no prototype, because the caller chooses the keys, which may be `__proto__`.
    const object: Record<string, unknown> = Object.create(null)
    for (const { responseKey, name, args } of call.selection) {
      object[responseKey] =
        name === '__typename'
          ? typename
          : new DeferredValue(part(name, value, ownArguments, plainArguments(args, variables), host))
    }
    return object
  }
  const typeOf = ({ field, type }: Selected): ResultType =>
    hasDirective(field.astNode, 'markup')
      ? wrapType<ResultType>(type, { kind: 'scalar', name: 'Markup' })
      : scalarResultType(type)
  const fields = new Map(call.selection.map((one) => [one.responseKey, typeOf(one)]))
  const type = wrapType(call.type, { kind: 'object', fields, range: call.range, table: null })
  const expression = accountSql(scope)
  return { sql: expression, shape, type, column: { sql: jsonText(expression), reads: 'json' } }
}

function authenticatePart(
  name: string,
  row: AccountRow,
  _own: Fields,
  args: Fields,
  { accounts }: ShapeHost,
): () => Promise<unknown> {
  const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '')
  switch (name) {
    case 'password':
      return () => accounts.verifyPassword(row, text('password'))
    case 'temporary_token':
      return async () => accounts.isTemporaryToken(row, text('token'))
    case 'jwt':
      return () => accounts.isJwt(row, text('token'), algorithmOf(args))
    default: {
      const drift = typeof args['drift'] === 'number' ? args['drift'] : null
      return () => accounts.isOtpCode(row, text('code'), drift)
    }
  }
}

type ComputePart = Parameters<typeof computedObject>[2]

/**
 * Computes the fields of a one-time password.
 * @param forTemplates whether the QR code is markup that `{{ }}` prints unescaped, instead of text
 */
function otpPart(forTemplates: boolean): ComputePart {
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return (name, row, otpArguments, args, { accounts }) =>
    async () => {
      const otp = await accounts.otp(row, textOf(otpArguments['otp_name']) ?? DEFAULT_OTP, row.email)
      if (name === 'secret') return otp.secret
      if (name === 'current_code') return otp.code
      const svg = await otp.qrCode(textOf(args['issuer']), textOf(args['label']))
      return forTemplates ? new Safe(svg) : svg
    }
}

/** Returns the links to accounts at other providers, ordered by provider. */
function authenticationsJson(call: Selected, scope: RowScope): JsonExpression {
  const row = objectJson(
    call.selection.map((field) => {
      const type = scalarResultType(field.type)
      if (field.name === '__typename') return { key: field.responseKey, json: constantJson('Authentication', type) }
      return { key: field.responseKey, json: { sql: linkColumn(field), shape: null, type } }
    }),
    call.range,
  )
  const from = scope.authentications ?? sql`ingot.authentications`
  const expression = jsonList(
    row.sql,
    sql`from (select * from ${from} l where l.user_id = ${scope.alias}.id order by l.provider) a`,
  )
  return { sql: expression, shape: null, type: wrapType(call.type, row.type) }
}

/** Returns the SQL of a field of a link. */
function linkColumn({ name, type }: Selected): Sql {
  if (name === 'id') return sql`a.id::text`
  if (name === 'name') return sql`a.provider`
  const column = sql`a.${identifier(name)}`
  if (name.endsWith('_at')) return timeJson(column)
  const named = getNamedType(type)
  if (!isEnumType(named)) return column
  // An operator names providers, and queries only know those of the enum.
  const known = join(named.getValues().map((value) => sql`${literal(value.name)}`))
  return sql`case when ${column} in (${known}) then ${column} else 'openid_connect' end`
}
