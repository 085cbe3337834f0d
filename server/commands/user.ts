/** `ingot user create|list|role|password|delete`: the users of a site, with or without a running server. */
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import * as z from 'zod'
import { type CommandLine, readCommandLine, rejectOtherOptions } from '../core/command-line.ts'
import { createLogger, processLog } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { openDatabase } from '../data/database.ts'
import type { LoadedSite } from '../web/site/load.ts'
import { hashPassword } from '../web/accounts/passwords.ts'
import { createApp } from '../web/app.ts'
import { createUserManager, type UserManager } from '../web/forms/manage-users.ts'
import type { UserChange } from '../web/forms/user-changes.ts'
import { openProcessServices } from '../web/process-services.ts'
import { formatCell, formatTable } from './table.ts'

/** The parsed command line. @internal Exported for tests. */
export type UserArguments = { readonly dir: string } & (
  | { readonly action: 'create'; readonly email: string; readonly roles: readonly string[] }
  | { readonly action: 'list'; readonly json: boolean }
  | { readonly action: 'role'; readonly email: string; readonly roles: readonly string[] }
  | { readonly action: 'password' | 'delete'; readonly email: string }
)

/** Where a command reads and writes. */
interface UserTerminal {
  /** Receives results. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  /** Returns the password, which is never an argument, because other users of the machine can read arguments. */
  readonly password: () => Promise<string>
}

const ACTIONS = ['create', 'list', 'role', 'password', 'delete'] as const
const OPTIONS = { switches: ['json', 'none'], values: ['role'] }
/** Maximum number of listed users. */
const MAX_LISTED = 1_000
/** Connections: for a statement, a transaction, and listening. */
const POOL = 4
const ROLE = /^[a-z][a-z0-9_-]{0,99}$/
/** A folder after roles contains a slash or is a dot, so that it cannot be a role. */
const FOLDER = /[/\\]|^\.{1,2}$/

const DECLARE_ROLES = `declare it in app/user.yml, and build the site again:
  properties:
    - name: roles
      type: array
`

/**
 * Runs the command.
 * @param args the arguments after `user`
 * @param load loads the site of a folder
 * @returns the exit code: 1 when there is no such user, or the values are refused
 * @throws StartError
 */
export async function userCommand(
  args: readonly string[],
  load: (dir: string) => Promise<LoadedSite>,
  settings: Settings,
  version: string,
): Promise<number> {
  const line = readUserLine(args)
  const loadedSite = await load(line.dir)
  const logger = createLogger('warn', true, process.stderr)
  const database = await openDatabase(settings, loadedSite.root, logger)
  try {
    const log = processLog(logger, settings.environment)
    const opened = { settings: database.settings, version, logger, log, pool: POOL, chores: false }
    const parts = await openProcessServices(opened)
    try {
      const app = createApp(loadedSite, parts.facts, await parts.prepare(loadedSite))
      return await runUserLine(line, createUserManager(app.host(), hashPassword), {
        out: (text) => void process.stdout.write(text),
        print: (text) => void process.stderr.write(text),
        password: readPassword,
      })
    } finally {
      await parts.close()
    }
  } finally {
    await database.close()
  }
}

/**
 * Parses the arguments after `ingot user`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readUserLine(args: readonly string[]): UserArguments {
  const line = readCommandLine('ingot user', args, OPTIONS)
  const [word = '', ...otherWords] = line.words
  const action = ACTIONS.find((known) => known === word)
  if (action === undefined) {
    const what = word === '' ? 'needs an action' : `has no action '${word}'`
    throw new StartError(`\`ingot user\` ${what}: give ${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)}.`)
  }
  const options = { create: ['role'], list: ['json'], role: ['none'], password: [], delete: [] }[action]
  rejectOtherOptions(`ingot user ${action}`, line, options)
  if (action === 'list') return { action, dir: singleFolder(action, otherWords), json: line.has('json') }
  const [email, ...more] = otherWords
  if (email === undefined) throw new StartError(`\`ingot user ${action}\` needs the email address of the user.`)
  if (action === 'role') return parseRoleArguments(email, more, line)
  const dir = singleFolder(action, more)
  return action === 'create'
    ? { action, email, dir, roles: line.allValues('role').map(parseRole) }
    : { action, email, dir }
}

function singleFolder(action: string, [dir = '.', extraArgument]: readonly string[]): string {
  if (extraArgument === undefined) return dir
  const hint = action === 'list' ? '' : ' A password comes from standard input or a prompt.'
  throw new StartError(`\`ingot user ${action}\` does not take '${extraArgument}'.${hint}`)
}

/** Parses `ROLE… [DIR]`. */
function parseRoleArguments(email: string, words: readonly string[], line: CommandLine): UserArguments {
  const last = words.at(-1)
  const isFolder = last !== undefined && FOLDER.test(last)
  const roles = (isFolder ? words.slice(0, -1) : words).map(parseRole)
  if (roles.length > 0 && line.has('none')) throw new StartError('Give either roles or --none.')
  if (roles.length === 0 && !line.has('none'))
    throw new StartError('`ingot user role` needs the roles of the user: ROLE…, or --none to remove all.')
  return { action: 'role', email, roles, dir: isFolder ? last : '.' }
}

function parseRole(writtenText: string): string {
  if (ROLE.test(writtenText)) return writtenText
  throw new StartError(
    `'${writtenText}' is not a role: use lowercase letters, digits, \`_\` and \`-\`. A folder is written with a slash, as in ./site.`,
  )
}

/**
 * Executes a parsed command line.
 * @returns the exit code: 1 when there is no such user, or the values are refused
 * @throws StartError when the site does not declare the roles of users
 * @internal Exported for tests.
 */
export async function runUserLine(line: UserArguments, users: UserManager, terminal: UserTerminal): Promise<number> {
  if (line.action === 'list') return listUsers(line.json, users, terminal)
  const { email } = line
  const shown = formatCell(email)
  if ('roles' in line && line.roles.length > 0) requireRoles(users)
  if (line.action === 'create') {
    const change = await users.create(email, await terminal.password(), line.roles)
    const roles = line.roles.length === 0 ? '' : ` with the roles ${line.roles.join(', ')}`
    return report(change, `The user ${shown} was created${roles}.`, terminal)
  }
  const id = await users.find(email)
  if (id === null) {
    terminal.print(`There is no user ${shown}: list them with \`ingot user list\`.\n`)
    return 1
  }
  if (line.action === 'role') {
    requireRoles(users)
    const done = line.roles.length === 0 ? 'has no roles any more' : `has the roles ${line.roles.join(', ')}`
    return report(await users.setRoles(id, line.roles), `The user ${shown} ${done}.`, terminal)
  }
  if (line.action === 'delete')
    return report(await users.remove(id), `The user ${shown} was deleted, and all sessions were ended.`, terminal)
  const change = await users.setPassword(id, await terminal.password())
  return report(change, `The password of ${shown} was changed, and all sessions were ended.`, terminal)
}

/** Requires that the site declares the roles of users as an array. @throws StartError */
function requireRoles({ rolesType }: UserManager): void {
  if (rolesType === 'array') return
  const what =
    rolesType === null ? 'This site has no roles of users' : `The roles of users are of the type ${rolesType}`
  const how = rolesType === null ? DECLARE_ROLES : DECLARE_ROLES.replace('declare it', 'declare them as an array')
  throw new StartError(`${what}. The property \`roles\` of users holds them: ${how}`.trimEnd())
}

function report(change: UserChange, done: string, { out, print }: UserTerminal): number {
  if ('id' in change) {
    print(`${done}\n`)
    out(`${change.id}\n`)
    return 0
  }
  for (const problem of change.problems) print(`Nothing was changed: ${problem}.\n`)
  return 1
}

async function listUsers(json: boolean, users: UserManager, { out, print }: UserTerminal): Promise<number> {
  const found = await users.list(MAX_LISTED + 1)
  const shown = found.slice(0, MAX_LISTED)
  if (json) out(`${JSON.stringify(shown, null, 2)}\n`)
  else if (shown.length === 0) print('There are no users yet: create one with `ingot user create EMAIL`.\n')
  else {
    const rows = shown.map((user) => [
      user.id,
      formatCell(user.email),
      formatCell(user.name),
      formatCell(user.roles.join(', ')),
      user.created,
    ])
    out(formatTable(['ID', 'EMAIL', 'NAME', 'ROLES', 'CREATED'], rows))
  }
  if (found.length > shown.length) print(`Only the oldest ${MAX_LISTED} users are listed.\n`)
  return 0
}

const PASSWORD = z.string().regex(/^[^\r\n\0]*$/, 'A password is one line without zero bytes.')

/** Reads a password from standard input, or asks for it twice on a terminal without showing it. @throws StartError */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const piped = PASSWORD.safeParse((await readAll(process.stdin)).replace(/\r?\n$/, ''))
    if (piped.success) return piped.data
    throw new StartError(piped.error.issues[0]?.message ?? '')
  }
  const first = await askHidden('Password: ')
  if ((await askHidden('Repeat the password: ')) === first) return first
  throw new StartError('The passwords differ. Nothing was changed.')
}

/** Asks on the terminal without showing the answer. @throws StartError when it is interrupted */
async function askHidden(question: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true, historySize: 0 })
  const stop = new AbortController()
  lines.once('SIGINT', () => stop.abort())
  lines.once('close', () => stop.abort())
  process.stderr.write(question)
  try {
    return await lines.question('', { signal: stop.signal })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new StartError('No password was given. Nothing was changed.')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
