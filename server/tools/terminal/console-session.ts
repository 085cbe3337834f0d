/** The state of `ingot console`: runs the inputs, keeps their variables, and completes lines. */
import { inputOf, isWhole, namesSetBy, taken, withVariables } from './inputs.ts'
import type { Workbench } from './workbench.ts'

const HELP = `  context.constants            a value
  'soup' | upcase              with filters
  assign x = 1                 a tag; \`x\` is there from now on
  graphql r = 'dishes/list'    a query of the site
  {% if x %}…{% endif %}       a template, over several lines where it is not whole
  { records(per_page: 2) { results { id } } }
  .names   the variables      .forget   without them      .exit
`

/** Where results and messages are written. */
export interface TerminalOutput {
  /** Receives results. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
}

/** What stays from one input to the next. */
export class ConsoleSession {
  readonly #workbench: Workbench
  readonly #output: TerminalOutput
  readonly #names = new Set<string>()
  #exports: Record<string, unknown> = {}
  #typed = ''

  constructor(workbench: Workbench, output: TerminalOutput) {
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
  async runLine(line: string): Promise<boolean> {
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
