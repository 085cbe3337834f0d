/** `ingot constants list|set|unset`: the constants of a site, in the site's database. Running servers see each change at once. */
import { text as readAll } from 'node:stream/consumers'
import type { Sql } from 'postgres'
import { readCommandLine } from '../core/command-line.ts'
import { CONSTANTS_CHANGED } from '../web/graphql/values/constants.ts'
import { createSeal, readSecret, type Seal } from '../web/graphql/values/secrets.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { withStore } from '../data/with-store.ts'

/** The parsed command line. @internal Exported for tests. */
export type ConstantsArguments = { readonly dir: string } & (
  | { readonly action: 'list'; readonly values: boolean; readonly json: boolean }
  /** `value`: null when it comes from standard input. */
  | { readonly action: 'set'; readonly name: string; readonly value: string | null }
  | { readonly action: 'unset'; readonly name: string }
)

/** Maximum length of a value; the same as in GraphQL mutations. */
const MAX_VALUE_LENGTH = 1_000_000
const OPTIONS = { switches: ['values', 'json'], values: [] }

/**
 * Runs the command.
 * @param args the arguments after `constants`
 * @returns the exit code: 1 when there is no such constant
 * @throws StartError
 */
export async function constantsCommand(args: readonly string[], settings: Settings): Promise<number> {
  const line = readConstantsLine(args)
  // Piped values keep secrets out of the arguments, which other users of the machine can read.
  const piped = line.action === 'set' && line.value === null ? await readAll(process.stdin) : null
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir: line.dir, pool: 2, logger }, ({ sql }, readySettings) => {
    const seal = createSeal(readSecret(readySettings.secret, readySettings.dataFolder))
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
 * @internal Exported for tests.
 */
export function readConstantsLine(args: readonly string[]): ConstantsArguments {
  const { words, has, optionNames: givenNames } = readCommandLine('ingot constants', args, OPTIONS)
  const [action = 'list', ...otherWords] = words
  if (action === 'list') {
    const [dir = '.', extraArgument] = otherWords
    if (extraArgument !== undefined) throw new StartError(`\`ingot constants list\` does not take '${extraArgument}'.`)
    return { action, dir, values: has('values'), json: has('json') }
  }
  const [flag] = givenNames
  if (flag !== undefined) throw new StartError(`The option --${flag} works only with \`ingot constants list\`.`)
  if (action === 'set') return parseSetArguments(otherWords)
  if (action !== 'unset')
    throw new StartError(`\`ingot constants\` has no action '${action}': give list, set or unset.`)
  const [name, dir = '.', extraArgument] = otherWords
  if (name === undefined) throw new StartError('`ingot constants unset` needs the name of a constant.')
  if (extraArgument !== undefined) throw new StartError(`\`ingot constants unset\` does not take '${extraArgument}'.`)
  return { action, name, dir }
}

/** Parses `NAME=VALUE [DIR]`, or `NAME [DIR]` with the value on standard input. */
function parseSetArguments([writtenText, dir = '.', extraArgument]: readonly string[]): ConstantsArguments {
  if (writtenText === undefined)
    throw new StartError('`ingot constants set` needs NAME=VALUE, or NAME with the value on standard input.')
  if (extraArgument !== undefined)
    throw new StartError(
      `\`ingot constants set\` does not take '${extraArgument}': quote NAME=VALUE so that it is one argument.`,
    )
  const at = writtenText.indexOf('=')
  const name = at < 0 ? writtenText : writtenText.slice(0, at)
  if (name === '' || name.length > 200 || escapeControls(name) !== name)
    throw new StartError(
      'The name of a constant must be one line of at most 200 characters, without control characters.',
    )
  return { action: 'set', name, value: at < 0 ? null : writtenText.slice(at + 1), dir }
}

/**
 * Executes a parsed command line.
 * @param out receives the result
 * @param print receives messages for the user
 * @returns the exit code: 1 when there is no such constant
 * @throws StartError for a value that cannot be stored
 * @internal Exported for tests.
 */
export async function runConstantsLine(
  line: ConstantsArguments,
  { sql, seal }: { readonly sql: Sql; readonly seal: Seal },
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<number> {
  if (line.action === 'list') {
    const rows = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
    if (line.json) out(`${JSON.stringify(toJson(rows, seal, line.values), null, 2)}\n`)
    else if (rows.length === 0) print('There are no constants yet: create one with `ingot constants set NAME=VALUE`.\n')
    else out(rows.map((row) => `${formatConstant(row, seal, line.values)}\n`).join(''))
    return 0
  }
  if (line.action === 'unset') {
    const gone = await changeAndNotify(sql, () => sql`delete from ingot.constants where name = ${line.name}`)
    if (gone === 0) print(`There is no constant ${line.name}: list them with \`ingot constants list\`.\n`)
    return gone === 0 ? 1 : 0
  }
  const value = line.value ?? ''
  if (value.length > MAX_VALUE_LENGTH || value.includes('\0'))
    throw new StartError('The value of a constant can have at most a million characters, and no zero bytes.')
  await changeAndNotify(
    sql,
    () => sql`insert into ingot.constants as c (name, value) values (${line.name}, ${seal.seal(value)})
    on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
  )
  return 0
}

/** Runs a change, and makes the servers of the database reload the constants. @returns the number of changed rows */
async function changeAndNotify(sql: Sql, change: () => PromiseLike<{ readonly count: number }>): Promise<number> {
  const { count } = await change()
  await sql`select pg_notify(${CONSTANTS_CHANGED}, '')`
  return count
}

function toJson(
  rows: readonly { readonly name: string; readonly value: string }[],
  seal: Seal,
  values: boolean,
): readonly object[] {
  return rows.map(({ name, value }) => (values ? { name, value: openSealed(value, seal) } : { name }))
}

function formatConstant(
  { name, value }: { readonly name: string; readonly value: string },
  seal: Seal,
  values: boolean,
): string {
  const plain = values ? (openSealed(value, seal) ?? '(sealed with another INGOT_SECRET: set it again)') : null
  return escapeControls(plain === null ? name : `${name}=${plain}`)
}

/** Decrypts a stored value; returns null when it was sealed with another secret. */
function openSealed(value: string, seal: Seal): string | null {
  try {
    return seal.open(value)
  } catch {
    return null
  }
}
