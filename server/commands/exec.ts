/** `ingot exec FILE|-`: runs Liquid, or a GraphQL document, against the site's own data. */
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { errorCodeOf } from '../core/error-code.ts'
import type { Fields } from '../../runtime/page/services.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import type { TerminalOutput } from '../tools/terminal/console-session.ts'
import type { Workbench } from '../tools/terminal/workbench.ts'

/** The parsed command line. @internal Exported for tests. */
export interface ExecArguments {
  /** `-` for standard input. */
  readonly file: string
  readonly dir: string
  readonly language: 'liquid' | 'graphql'
  /** Parameters of the template, or variables of the document. */
  readonly variables: Fields
}

/**
 * Runs the command.
 * @param args the arguments after `exec`
 * @param open opens the site of a folder
 * @returns the exit code: 1 when the Liquid or GraphQL failed
 * @throws StartError
 */
export async function execCommand(
  args: readonly string[],
  open: (dir: string) => Promise<Workbench>,
  output: TerminalOutput,
): Promise<number> {
  const line = readExecLine(args)
  const text = await readInput(line.file)
  const workbench = await open(line.dir)
  try {
    return await runText(workbench, line, text, output)
  } finally {
    await workbench.close()
  }
}

/**
 * Parses the arguments after `ingot exec`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readExecLine(args: readonly string[]): ExecArguments {
  const { words, allValues, has } = readCommandLine('ingot exec', args, { switches: ['graphql'], values: ['var'] })
  const variables = allValues('var').map(parseVariable)
  const [file, dir = '.', extraArgument] = words
  if (file === undefined || extraArgument !== undefined)
    throw new StartError(
      '`ingot exec` needs a file, or - for standard input, and takes a folder: ingot exec FILE|- [DIR]',
    )
  const language = has('graphql') || /\.g(?:raph)?ql$/.test(file) ? 'graphql' : 'liquid'
  return { file, dir, language, variables: Object.fromEntries(variables) }
}

/**
 * Parses `name=value`. Lists, hashes, numbers, booleans and null are JSON; other values are text. @throws StartError
 * @internal Exported for tests.
 */
export function parseVariable(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new StartError(`The option --var cannot be '${text}': give a name and a value, --var name=value.`)
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  if (!/^(?:[[{]|null$|true$|false$|-?\d+(?:\.\d+)?$)/.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    // A number such as 007 is not valid JSON, and stays text.
    if (!/^[[{]/.test(value)) return [name, value]
    throw new StartError(`The value of --var ${name} is not valid JSON: ${value}`)
  }
}

async function readInput(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new StartError(
      `'${file}' cannot be read (${errorCodeOf(error) ?? String(error)}): check its path and permissions.`,
    )
  }
}

/** Runs Liquid or a GraphQL document, and prints its result. @returns the exit code @internal Exported for tests. */
export async function runText(
  workbench: Workbench,
  { language, variables }: Pick<ExecArguments, 'language' | 'variables'>,
  text: string,
  { out, print }: TerminalOutput,
): Promise<number> {
  if (language === 'graphql') {
    const answer = await workbench.graphql(text, variables)
    out(`${answer.text}\n`)
    return answer.hasFailed ? 1 : 0
  }
  const outcome = await workbench.liquid(text, variables)
  if (outcome.kind === 'printed') {
    out(outcome.text.endsWith('\n') || outcome.text === '' ? outcome.text : `${outcome.text}\n`)
    return 0
  }
  print(`${outcome.kind === 'failed' ? outcome.sentence : outcome.sentences.join('\n')}\n`)
  return 1
}
