/** `ingot token create|list|revoke`: tokens of clients of `/api/graph`. Works with or without a running server. */
import picocolors from 'picocolors'
import type { Sql } from 'postgres'
import { onlyOptions, readCommandLine } from '../core/command-line.ts'
import { createLogger } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { createToken, listTokens, revokeToken, SCOPES, type TokenRow, type TokenScope } from '../data/store/tokens.ts'
import { withStore } from '../data/with-store.ts'

/** The parsed command line. */
export type TokenArguments = { readonly dir: string } & (
  | { readonly action: 'create'; readonly name: string; readonly scope: TokenScope }
  | { readonly action: 'list' }
  | { readonly action: 'revoke'; readonly id: string }
)

const MAX_ARGUMENTS = { create: 1, list: 1, revoke: 2 } as const

/**
 * Runs the command.
 * @param rest the arguments after `token`
 * @returns the exit code: 1 when there is no such token
 * @throws StartError
 */
export async function tokenCommand(rest: readonly string[], settings: Settings): Promise<number> {
  const line = readTokenLine(rest)
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
 */
export function readTokenLine(rest: readonly string[]): TokenArguments {
  const line = readCommandLine('ingot token', rest, { switches: [], values: ['name', 'scope'] })
  const { words, value } = line
  const [action = '', ...others] = words
  if (action !== 'create' && action !== 'list' && action !== 'revoke') {
    const what = action === '' ? 'needs to know what to do' : `cannot '${action}'`
    throw new StartError(`\`ingot token\` ${what}: give create, list or revoke.`)
  }
  if (others.length > MAX_ARGUMENTS[action])
    throw new StartError(`\`ingot token ${action}\` takes no '${others[MAX_ARGUMENTS[action]]}'.`)
  if (action !== 'create') {
    onlyOptions(`ingot token ${action}`, line, [])
  }
  if (action === 'list') return { action, dir: others[0] ?? '.' }
  if (action === 'revoke') {
    const [id, dir = '.'] = others
    if (id === undefined)
      throw new StartError('`ingot token revoke` needs the ID of a token: `ingot token list` shows it.')
    if (!/^\d{1,18}$/.test(id)) throw new StartError(`'${id}' is no ID of a token: \`ingot token list\` shows them.`)
    return { action, id, dir }
  }
  const scope = SCOPES.find((known) => known === (value('scope') ?? 'read'))
  if (scope === undefined) throw new StartError(`There is no scope '${value('scope')}': give ${SCOPES.join(', ')}.`)
  const name = value('name') ?? 'token'
  if (name.length > 200 || hasControls(name)) throw new StartError('The name of a token is one short line.')
  return { action, name, scope, dir: others[0] ?? '.' }
}

/**
 * Executes a parsed command line.
 * @param out receives the result
 * @param print receives messages for the user
 * @returns the exit code: 1 when there is no such token
 */
export async function runTokenLine(
  line: TokenArguments,
  sql: Sql,
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<number> {
  if (line.action === 'create') {
    const made = await createToken(sql, line.name, line.scope)
    out(`${made.token}\n`)
    print(`Token ${made.id} (${made.scope}) was made. It is shown this once: keep it now.\n`)
    return 0
  }
  if (line.action === 'list') {
    const rows = await listTokens(sql)
    if (rows.length === 0) print('There are no tokens yet: `ingot token create` makes one.\n')
    else out(table(rows))
    return 0
  }
  const ended = await revokeToken(sql, line.id)
  if (ended === null) {
    print(`There is no valid token ${line.id}: \`ingot token list\` shows them.\n`)
    return 1
  }
  print(`Token ${ended.id} (${visible(ended.name)}) is no longer valid.\n`)
  return 0
}

function table(rows: readonly TokenRow[]): string {
  const head = ['ID', 'NAME', 'SCOPE', 'MADE', 'LAST USE', 'STATE']
  const cells = rows.map((row) => [
    row.id,
    visible(row.name),
    row.scope,
    day(row.createdAt),
    row.lastUsedAt === null ? 'never' : minute(row.lastUsedAt),
    row.revokedAt === null ? 'valid' : `revoked ${day(row.revokedAt)}`,
  ])
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[picocolors.dim(line(head)), ...cells.map(line)].join('\n')}\n`
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function minute(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function hasControls(text: string): boolean {
  return /[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(text)
}

// Another program may have written the row, so control characters are not printed.
function visible(name: string): string {
  return name.replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
}
