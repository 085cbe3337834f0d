/** The state of `ingot console`: runs the inputs, keeps their variables, and completes lines. */
import { assignVariables, isComplete, parseInput, variablesSetBy, withVariables } from './inputs.ts'
import type { Workbench } from './workbench.ts'

const HELP = `  context.constants            a value
  'soup' | upcase              with filters
  assign x = 1                 a tag; \`x\` is available from then on
  graphql r = 'dishes/list'    a query of the site
  {% if x %}…{% endif %}       a template, which may have several lines
  { records(per_page: 2) { results { id } } }
  .names   list the variables      .forget   clear them      .exit
`

/** Where results and messages are written. */
export interface TerminalOutput {
  /** Receives results. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
}

/** Runs inputs, and keeps their variables for later inputs. */
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

  /** Whether an input of several lines is incomplete. */
  get isOpen(): boolean {
    return this.#typed !== ''
  }

  /** Discards an incomplete input. */
  abandon(): void {
    this.#typed = ''
  }

  /** Adds a line, and runs the input when it is complete. An empty line runs an incomplete input. @returns false to end the session */
  async runLine(line: string): Promise<boolean> {
    const word = line.trim()
    if (!this.isOpen && (word.startsWith('.') || this.#isBareCommand(word)))
      return this.#command(`.${word.replace('.', '')}`)
    const typedText = this.#typed === '' ? line : `${this.#typed}\n${line}`
    if (typedText.trim() === '') return true
    if (!isComplete(typedText) && line.trim() !== '') {
      this.#typed = typedText
      return true
    }
    this.#typed = ''
    await this.#run(typedText)
    return true
  }

  /** Checks whether a line is the name of a command without its dot, such as `exit`, and not a variable. */
  #isBareCommand(word: string): boolean {
    return (word === 'help' || word === 'exit') && !this.#names.has(word)
  }

  /** Returns completions for the end of a line, and the part of the line that they replace. */
  async complete(line: string): Promise<readonly [readonly string[], string]> {
    const input = parseInput(line)
    if (input.kind === 'graphql') return [[], line]
    const textBefore = assignVariables(this.#names)
    const offset = textBefore.length + input.text.indexOf(line.trim()) + line.trimStart().length
    const completion = await this.#workbench.complete(textBefore + input.text, offset)
    const word = line.slice(line.length - completion.length)
    return [completion.labels.filter((label) => label.startsWith(word)), word]
  }

  #command(command: string): boolean {
    const { out, print } = this.#output
    if (command === '.exit') return false
    if (command === '.names') out(`${[...this.#names].join('\n')}${this.#names.size === 0 ? '' : '\n'}`)
    else if (command === '.forget') {
      this.#names.clear()
      this.#exports = {}
    } else if (command === '.help') out(HELP)
    else print(`There is no command '${command}': type .help, .names, .forget or .exit\n`)
    return true
  }

  async #run(typedText: string): Promise<void> {
    const { out, print } = this.#output
    const input = parseInput(typedText)
    if (input.kind === 'graphql') {
      out(`${(await this.#workbench.graphql(input.document, {})).text}\n`)
      return
    }
    const outcome = await this.#workbench.liquid(withVariables(input.text, this.#names), {}, this.#exports)
    if (outcome.kind === 'refused') return print(`${outcome.sentences.join('\n')}\n`)
    if (outcome.kind === 'failed') return print(`${outcome.sentence}\n`)
    for (const name of variablesSetBy(input.text)) this.#names.add(name)
    const { text } = outcome
    if (text.trim() !== '') out(text.endsWith('\n') ? text : `${text}\n`)
  }
}
