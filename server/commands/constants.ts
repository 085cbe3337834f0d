/** `ingot constants list|set|unset`: the constants of a site, in its own database. A running server sees each change at once. */
import { text as readAll } from 'node:stream/consumers'
import type { Sql } from 'postgres'
import { readCommandLine } from '../core/command-line.ts'
import { CONSTANTS_CHANGED } from '../web/graphql/values/constants.ts'
import { createSeal, readSecret, type Seal } from '../web/graphql/values/secrets.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { withStore } from '../data/with-store.ts'

/** The parsed command line. */
export type ConstantsArguments = { readonly dir: string } & (
  | { readonly action: 'list'; readonly values: boolean; readonly json: boolean }
  /** The value is null where it comes from standard input. */
  | { readonly action: 'set'; readonly name: string; readonly value: string | null }
  | { readonly action: 'unset'; readonly name: string }
)

/** The longest value that a query may store as well. */
const MAX_LENGTH = 1_000_000
const OPTIONS = { switches: ['values', 'json'], values: [] }

/**
 * Runs the command.
 * @param rest the arguments after `constants`
 * @returns the exit code: 1 when there is no such constant
 * @throws StartError
 */
export async function constantsCommand(rest: readonly string[], settings: Settings): Promise<number> {
  const line = readConstantsLine(rest)
  // Not in the arguments, where other users of the machine could read it.
  const piped = line.action === 'set' && line.value === null ? await readAll(process.stdin) : null
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir: line.dir, pool: 2, logger }, ({ sql }, ready) => {
    const seal = createSeal(readSecret(ready.secret, ready.dataFolder))
    const given = line.action === 'set' ? { ...line, value: line.value ?? (piped ?? '').replace(/\r?\n$/, '') } : line
    return runConstantsLine(
      given,
      { sql, seal },
      (text) => void process.stdout.write(text),
      (text) => void process.stderr.write(text),
    )
  })
}

/**
 * Parses the arguments after `ingot constants`.
 * @throws StartError
 */
export function readConstantsLine(rest: readonly string[]): ConstantsArguments {
  const { words, has, given } = readCommandLine('ingot constants', rest, OPTIONS)
  const [action = 'list', ...others] = words
  if (action === 'list') {
    const [dir = '.', extra] = others
    if (extra !== undefined) throw new StartError(`\`ingot constants list\` takes no '${extra}'.`)
    return { action, dir, values: has('values'), json: has('json') }
  }
  const [flag] = given
  if (flag !== undefined) throw new StartError(`The option --${flag} belongs to \`ingot constants list\`.`)
  if (action === 'set') return setLine(others)
  if (action !== 'unset') throw new StartError(`\`ingot constants\` cannot '${action}': give list, set or unset.`)
  const [name, dir = '.', extra] = others
  if (name === undefined) throw new StartError('`ingot constants unset` needs the name of a constant.')
  if (extra !== undefined) throw new StartError(`\`ingot constants unset\` takes no '${extra}'.`)
  return { action, name, dir }
}

/** `NAME=VALUE [DIR]`, or `NAME [DIR]` with the value on standard input. */
function setLine([written, dir = '.', extra]: readonly string[]): ConstantsArguments {
  if (written === undefined)
    throw new StartError('`ingot constants set` needs NAME=VALUE, or NAME with the value on standard input.')
  if (extra !== undefined)
    throw new StartError(`\`ingot constants set\` takes no '${extra}': write NAME=VALUE as one word.`)
  const at = written.indexOf('=')
  const name = at < 0 ? written : written.slice(0, at)
  if (name === '' || name.length > 200 || escapeControls(name) !== name)
    throw new StartError('The name of a constant is one short line.')
  return { action: 'set', name, value: at < 0 ? null : written.slice(at + 1), dir }
}

/**
 * Executes a parsed command line.
 * @param out receives the result
 * @param print receives messages for the user
 * @returns the exit code: 1 when there is no such constant
 * @throws StartError for a value that cannot be stored
 */
export async function runConstantsLine(
  line: ConstantsArguments,
  { sql, seal }: { readonly sql: Sql; readonly seal: Seal },
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<number> {
  if (line.action === 'list') {
    const rows = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
    if (line.json) out(`${JSON.stringify(listed(rows, seal, line.values), null, 2)}\n`)
    else if (rows.length === 0) print('There are no constants yet: `ingot constants set NAME=VALUE` makes one.\n')
    else out(rows.map((row) => `${shown(row, seal, line.values)}\n`).join(''))
    return 0
  }
  if (line.action === 'unset') {
    const gone = await changed(sql, () => sql`delete from ingot.constants where name = ${line.name}`)
    if (gone === 0) print(`There is no constant ${line.name}: \`ingot constants list\` names them.\n`)
    return gone === 0 ? 1 : 0
  }
  const value = line.value ?? ''
  if (value.length > MAX_LENGTH || value.includes('\0'))
    throw new StartError('The value of a constant is a text of at most a million characters, without zero bytes.')
  await changed(
    sql,
    () => sql`insert into ingot.constants as c (name, value) values (${line.name}, ${seal.seal(value)})
    on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
  )
  return 0
}

/** Runs a change, and has the servers of the database read the constants again. @returns how many were changed */
async function changed(sql: Sql, change: () => PromiseLike<{ readonly count: number }>): Promise<number> {
  const { count } = await change()
  await sql`select pg_notify(${CONSTANTS_CHANGED}, '')`
  return count
}

function listed(
  rows: readonly { readonly name: string; readonly value: string }[],
  seal: Seal,
  values: boolean,
): readonly object[] {
  return rows.map(({ name, value }) => (values ? { name, value: plainOf(value, seal) } : { name }))
}

function shown(
  { name, value }: { readonly name: string; readonly value: string },
  seal: Seal,
  values: boolean,
): string {
  const plain = values ? (plainOf(value, seal) ?? '(sealed with another INGOT_SECRET: set it again)') : null
  return escapeControls(plain === null ? name : `${name}=${plain}`)
}

/** Null for one that was sealed with another secret. */
function plainOf(value: string, seal: Seal): string | null {
  try {
    return seal.open(value)
  } catch {
    return null
  }
}
