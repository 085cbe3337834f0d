/** `ingot exec FILE|-`: runs Liquid, or a GraphQL document, against the site's own data. */
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { codeOf } from '../core/error-code.ts'
import type { Fields } from '../../runtime/page/services.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import type { TerminalOutput } from '../tools/terminal/console-session.ts'
import type { Workbench } from '../tools/terminal/workbench.ts'

/** The parsed command line. */
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
 * @param rest the arguments after `exec`
 * @param open opens the site of a folder
 * @returns the exit code: 1 when what was run has failed
 * @throws StartError
 */
export async function execCommand(
  rest: readonly string[],
  open: (dir: string) => Promise<Workbench>,
  output: TerminalOutput,
): Promise<number> {
  const line = readExecLine(rest)
  const text = await textOf(line.file)
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
 */
export function readExecLine(rest: readonly string[]): ExecArguments {
  const { words, all, has } = readCommandLine('ingot exec', rest, { switches: ['graphql'], values: ['var'] })
  const variables = all('var').map(variableOf)
  const [file, dir = '.', extra] = words
  if (file === undefined || extra !== undefined)
    throw new StartError('`ingot exec` takes a file, or - for standard input, and a folder: ingot exec FILE|- [DIR]')
  const language = has('graphql') || /\.g(?:raph)?ql$/.test(file) ? 'graphql' : 'liquid'
  return { file, dir, language, variables: Object.fromEntries(variables) }
}

/** `name=value`: lists, hashes, numbers, booleans and null are JSON, anything else is text. @throws StartError */
export function variableOf(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new StartError(`The option --var names a variable and its value, not '${text}': --var name=value`)
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  if (!/^(?:[[{]|null$|true$|false$|-?\d+(?:\.\d+)?$)/.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    // A number such as 007 is no JSON, and is the text that it looks like.
    if (!/^[[{]/.test(value)) return [name, value]
    throw new StartError(`The value of --var ${name} begins as JSON does, and is none: ${value}`)
  }
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new StartError(`'${file}' cannot be read (${codeOf(error) ?? String(error)}).`)
  }
}

/** Runs a text. @returns the exit code */
export async function runText(
  workbench: Workbench,
  { language, variables }: Pick<ExecArguments, 'language' | 'variables'>,
  text: string,
  { out, print }: TerminalOutput,
): Promise<number> {
  if (language === 'graphql') {
    const answer = await workbench.graphql(text, variables)
    out(`${answer.text}\n`)
    return answer.failed ? 1 : 0
  }
  const outcome = await workbench.liquid(text, variables)
  if (outcome.kind === 'printed') {
    out(outcome.text.endsWith('\n') || outcome.text === '' ? outcome.text : `${outcome.text}\n`)
    return 0
  }
  print(`${outcome.kind === 'failed' ? outcome.sentence : outcome.sentences.join('\n')}\n`)
  return 1
}
