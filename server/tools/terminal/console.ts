/** `ingot console`: Liquid and GraphQL against the site's own data, line by line, with a history and the compiler's completion. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { readCommandLine } from '../../core/command-line.ts'
import { StartError } from '../../core/start-error.ts'
import type { ExecOutput } from './exec.ts'
import { inputOf, isWhole, namesSetBy, taken, withVariables } from './inputs.ts'
import type { Workbench } from './workbench.ts'

/** Lines of the history that are kept in memory. */
const HISTORY = 1_000

const GREETING = `Liquid, or GraphQL that begins with \`query\`, \`mutation\` or \`{\`. Values alone are shown as JSON; variables stay.
Tab completes, .help shows more, .exit (or Ctrl+D) ends.
`
const HELP = `  context.constants            a value
  'soup' | upcase              with filters
  assign x = 1                 a tag; \`x\` is there from now on
  graphql r = 'dishes/list'    a query of the site
  {% if x %}…{% endif %}       a template, over several lines where it is not whole
  { records(per_page: 2) { results { id } } }
  .names   the variables      .forget   without them      .exit
`

/** The parsed command line. @throws StartError */
export function readConsoleLine(rest: readonly string[]): string {
  const [dir = '.', extra] = readCommandLine('ingot console', rest, { switches: [], values: [] }).words
  if (extra !== undefined) throw new StartError(`\`ingot console\` takes one folder, not '${dir}' and '${extra}'.`)
  return dir
}

/** What stays from one input to the next. */
export class ConsoleSession {
  readonly #workbench: Workbench
  readonly #output: ExecOutput
  readonly #names = new Set<string>()
  #exports: Record<string, unknown> = {}
  #typed = ''

  constructor(workbench: Workbench, output: ExecOutput) {
    this.#workbench = workbench
    this.#output = output
  }

  /** Whether the input goes on. */
  get isOpen(): boolean {
    return this.#typed !== ''
  }

  /** Forgets the lines of an input that is not whole. */
  abandon(): void {
    this.#typed = ''
  }

  /** Takes a line, and runs the input when it is whole. An empty line runs what is not. @returns false when the session is to end */
  async take(line: string): Promise<boolean> {
    if (!this.isOpen && line.trim().startsWith('.')) return this.#command(line.trim())
    const typed = this.#typed === '' ? line : `${this.#typed}\n${line}`
    if (typed.trim() === '') return true
    if (!isWhole(typed) && line.trim() !== '') {
      this.#typed = typed
      return true
    }
    this.#typed = ''
    await this.#run(typed)
    return true
  }

  /** What could stand at the end of a line, and the part of it that this would replace. */
  async complete(line: string): Promise<readonly [readonly string[], string]> {
    const input = inputOf(line)
    if (input.kind === 'graphql') return [[], line]
    const before = taken(this.#names)
    const offset = before.length + input.text.indexOf(line.trim()) + line.trimStart().length
    const found = await this.#workbench.complete(before + input.text, offset)
    const word = line.slice(line.length - found.length)
    return [found.labels.filter((label) => label.startsWith(word)), word]
  }

  #command(command: string): boolean {
    const { out, print } = this.#output
    if (command === '.exit') return false
    if (command === '.names') out(`${[...this.#names].join('\n')}${this.#names.size === 0 ? '' : '\n'}`)
    else if (command === '.forget') {
      this.#names.clear()
      this.#exports = {}
    } else if (command === '.help') out(HELP)
    else print(`There is no '${command}': .help, .names, .forget, .exit\n`)
    return true
  }

  async #run(typed: string): Promise<void> {
    const { out, print } = this.#output
    const input = inputOf(typed)
    if (input.kind === 'graphql') {
      out(`${(await this.#workbench.graphql(input.document, {})).text}\n`)
      return
    }
    const outcome = await this.#workbench.liquid(withVariables(input.text, this.#names), {}, this.#exports)
    if (outcome.kind === 'refused') return print(`${outcome.sentences.join('\n')}\n`)
    if (outcome.kind === 'failed') return print(`${outcome.sentence}\n`)
    for (const name of namesSetBy(input.text)) this.#names.add(name)
    const { text } = outcome
    if (text.trim() !== '') out(text.endsWith('\n') ? text : `${text}\n`)
  }
}

/**
 * Runs the command until its input ends.
 * @param historyFile where the lines are kept
 */
export async function runConsole(workbench: Workbench, historyFile: string, output: ExecOutput): Promise<number> {
  const session = new ConsoleSession(workbench, output)
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: process.stdout, history: historyOf(historyFile), historySize: HISTORY }),
    terminal: isTerminal,
    completer: (line: string, done: (error: Error | null, found: [string[], string]) => void) => {
      session.complete(line).then(
        ([labels, word]) => done(null, [[...labels], word]),
        () => done(null, [[], line]),
      )
    },
  })
  const ask = (): void => {
    if (!isTerminal) return
    lines.setPrompt(session.isOpen ? '   ... ' : 'ingot> ')
    lines.prompt()
  }
  if (isTerminal) output.out(GREETING)
  lines.on('SIGINT', () => {
    if (session.isOpen || lines.line !== '') {
      session.abandon()
      process.stdout.write('\n')
      lines.write(null, { ctrl: true, name: 'u' })
      ask()
    } else lines.close()
  })
  ask()
  for await (const line of lines) {
    if (isTerminal && line.trim() !== '') keep(historyFile, line)
    const goesOn = await session.take(line).catch((error: unknown) => {
      output.print(`${error instanceof Error ? error.message : String(error)}\n`)
      return true
    })
    if (!goesOn) break
    ask()
  }
  lines.close()
  return 0
}

function historyOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-HISTORY).toReversed()
  } catch {
    return []
  }
}

function keep(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
  } catch {
    // A console without a history is one all the same.
  }
}
