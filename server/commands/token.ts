/** `ingot token create|list|revoke`: manages the tokens of programs, with or without a running server. */
import { statSync } from 'node:fs'
import type { Sql } from 'postgres'
import { USER_TOKEN_DAYS } from '../../runtime/data/query/user-token-days.ts'
import { rejectOtherOptions, readCommandLine } from '../core/command-line.ts'
import { createLogger } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import {
  createToken,
  createUserToken,
  listTokens,
  revokeToken,
  SCOPES,
  type TokenRow,
  type TokenScope,
  USER_SCOPES,
  type UserTokenScope,
} from '../data/store/tokens.ts'
import { withStore } from '../data/with-store.ts'
import { formatTable } from './table.ts'

/** The parsed command line. @internal Exported for tests. */
export type TokenArguments = { readonly dir: string } & (
  | { readonly action: 'create'; readonly name: string; readonly scope: TokenScope }
  | {
      readonly action: 'create for'
      readonly email: string
      readonly name: string
      readonly scope: UserTokenScope
      readonly days: number
    }
  | { readonly action: 'list' }
  | { readonly action: 'revoke'; readonly id: string }
)

const MAX_ARGUMENTS = { create: 1, list: 1, revoke: 2 } as const

/**
 * Runs the command.
 * @param args the arguments after `token`
 * @returns the exit code: 1 when there is no such token or user
 * @throws StartError
 */
export async function tokenCommand(args: readonly string[], settings: Settings): Promise<number> {
  const line = readTokenLine(args)
  if (line.action === 'create' && !statSync(line.dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${line.dir}'. ${suggestName(line.dir, '.')}`)
  // Logs go to standard error, because scripts may read standard output.
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir: line.dir, pool: 2, logger }, ({ sql }) =>
    runTokenLine(
      line,
      sql,
      (text) => void process.stdout.write(text),
      (text) => void process.stderr.write(text),
    ),
  )
}

/**
 * Parses the arguments after `ingot token`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readTokenLine(args: readonly string[]): TokenArguments {
  const line = readCommandLine('ingot token', args, { switches: [], values: ['name', 'scope', 'user', 'days'] })
  const { words, value } = line
  const [action = '', ...otherWords] = words
  if (action !== 'create' && action !== 'list' && action !== 'revoke') {
    const what = action === '' ? 'needs an action' : `has no action '${action}'`
    throw new StartError(`\`ingot token\` ${what}: give create, list or revoke.`)
  }
  const [first = '', second = ''] = otherWords
  if (action === 'create' && otherWords.length === 2 && value('name') === null)
    throw new StartError(`\`ingot token create\` takes one folder. ${suggestName(first, second)}`)
  if (otherWords.length > MAX_ARGUMENTS[action])
    throw new StartError(`\`ingot token ${action}\` does not take '${otherWords[MAX_ARGUMENTS[action]]}'.`)
  if (action !== 'create') {
    rejectOtherOptions(`ingot token ${action}`, line, [])
  }
  if (action === 'list') return { action, dir: otherWords[0] ?? '.' }
  if (action === 'revoke') {
    const [id, dir = '.'] = otherWords
    if (id === undefined)
      throw new StartError('`ingot token revoke` needs the ID of a token: list them with `ingot token list`.')
    if (!/^\d{1,18}$/.test(id))
      throw new StartError(`'${id}' is not the ID of a token: list them with \`ingot token list\`.`)
    return { action, id, dir }
  }
  const name = value('name') ?? 'token'
  if (name.length > 200 || hasControls(name))
    throw new StartError('The name of a token must be one line of at most 200 characters.')
  const given = { name, dir: otherWords[0] ?? '.' }
  const email = value('user')
  if (email !== null)
    return {
      action: 'create for',
      email,
      scope: readScope(USER_SCOPES, value('scope'), ' for a token of a user'),
      days: readDays(value('days')),
      ...given,
    }
  if (value('days') !== null)
    throw new StartError('Only tokens of users expire: give --user with --days, or leave --days out.')
  return { action, scope: readScope(SCOPES, value('scope'), ''), ...given }
}

/** Parses the scope of a token; `read` when it is not given. @throws StartError */
function readScope<Scope extends string>(scopes: readonly Scope[], text: string | null, owner: string): Scope {
  const scope = scopes.find((known) => known === (text ?? 'read'))
  if (scope === undefined) throw new StartError(`There is no scope '${text}'${owner}: give ${scopes.join(', ')}.`)
  return scope
}

/** Parses the number of days until a token expires. @throws StartError */
function readDays(text: string | null): number {
  const { default: usual, most } = USER_TOKEN_DAYS
  const days = text === null ? usual : /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > most) throw new StartError(`--days must be a whole number from 1 to ${most}, not '${text}'.`)
  return days
}

/** Returns the command that creates a token with a name that was given as a word. */
function suggestName(name: string, dir: string): string {
  const folder = dir === '.' ? '' : ` ${dir}`
  return `For a token named '${name}', run \`ingot token create${folder} --name ${/^[\w.-]+$/.test(name) ? name : `'${name}'`}\`.`
}

/**
 * Executes a parsed command line.
 * @param out receives the result
 * @param print receives messages for the user
 * @returns the exit code: 1 when there is no such token or user
 * @internal Exported for tests.
 */
export async function runTokenLine(
  line: TokenArguments,
  sql: Sql,
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<number> {
  if (line.action === 'create') {
    const created = await createToken(sql, line.name, line.scope)
    out(`${created.token}\n`)
    print(`Token ${created.id} (${created.scope}) was created. It is shown only once: keep it.\n`)
    return 0
  }
  if (line.action === 'create for') {
    const created = await createUserToken(sql, line.email, line.name, line.scope, line.days)
    if (created === null) {
      print(`There is no user with the e-mail address ${visible(line.email)}.\n`)
      return 1
    }
    const { token, id, scope, email, expiresAt } = created
    out(`${token}\n`)
    print(
      `Token ${id} (${scope}) of ${visible(email ?? '')} was created, until ${formatDate(expiresAt)}. It is shown only once: keep it.\n`,
    )
    return 0
  }
  if (line.action === 'list') {
    const rows = await listTokens(sql)
    if (rows.length === 0) print('There are no tokens yet: create one with `ingot token create`.\n')
    else out(formatTokens(rows))
    return 0
  }
  const revoked = await revokeToken(sql, line.id)
  if (revoked === null) {
    print(`There is no valid token ${line.id}: list them with \`ingot token list\`.\n`)
    return 1
  }
  print(`Token ${revoked.id} (${visible(revoked.name)}) is no longer valid.\n`)
  return 0
}

function formatTokens(rows: readonly TokenRow[]): string {
  const cells = rows.map((row) => [
    row.id,
    visible(row.name),
    row.scope,
    row.email === null ? '-' : visible(row.email),
    formatDay(row.createdAt),
    formatDate(row.expiresAt),
    row.lastUsedAt === null ? 'never' : formatMinute(row.lastUsedAt),
    stateOf(row),
  ])
  return formatTable(['ID', 'NAME', 'SCOPE', 'USER', 'CREATED', 'EXPIRES', 'LAST USE', 'STATE'], cells)
}

function stateOf({ revokedAt, expiresAt }: TokenRow): string {
  if (revokedAt !== null) return `revoked ${formatDay(revokedAt)}`
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'valid'
}

function formatDate(date: Date | null): string {
  return date === null ? 'never' : formatDay(date)
}

function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function formatMinute(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function hasControls(text: string): boolean {
  return /[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(text)
}

// Another program may have written the row, so control characters are replaced.
function visible(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
}
