/** Parses the arguments of a command: words, switches, and options with a value. */
import { parseArgs } from 'node:util'
import { nearest } from '../../runtime/data/query/suggest.ts'
import { StartError } from './start-error.ts'

export interface CommandLine {
  readonly words: readonly string[]
  has(name: string): boolean
  /** Returns the value of an option, the last one if it is repeated. */
  value(name: string): string | null
  /** Returns all values of an option that may be repeated. */
  allValues(name: string): readonly string[]
  /** Names of the options in their order, each once. */
  readonly optionNames: readonly string[]
}

interface KnownOptions {
  readonly switches: readonly string[]
  readonly values: readonly string[]
}

/**
 * Parses the arguments of a command.
 * @param command for messages: `ingot deploy`
 * @throws StartError for an unknown option, or an option without its value
 */
export function readCommandLine(
  command: string,
  args: readonly string[],
  { switches, values }: KnownOptions,
): CommandLine {
  const options: Record<string, { type: 'string' | 'boolean' }> = {}
  for (const name of switches) options[name] = { type: 'boolean' }
  for (const name of values) options[name] = { type: 'string' }
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
  const words: string[] = []
  const optionValues = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const takesValue = values.includes(token.name)
    if (!takesValue && !switches.includes(token.name))
      throw new StartError(
        `\`${command}\` has no option '${token.rawName}': ${suggestOption(token.name, [...switches, ...values])}`,
      )
    if (takesValue && (token.value === undefined || token.value === ''))
      throw new StartError(`The option --${token.name} needs a value: --${token.name}=…`)
    if (!takesValue && token.value !== undefined) throw new StartError(`The option --${token.name} takes no value.`)
    optionValues.set(token.name, [...(optionValues.get(token.name) ?? []), token.value ?? ''])
  }
  return {
    words,
    has: (name) => optionValues.has(name),
    value: (name) => optionValues.get(name)?.at(-1) ?? null,
    allValues: (name) => optionValues.get(name) ?? [],
    optionNames: [...optionValues.keys()],
  }
}

/**
 * Rejects options that belong to other forms of a command.
 * @param command for messages: `ingot jobs list`
 * @throws StartError
 */
export function rejectOtherOptions(
  command: string,
  { optionNames: givenNames }: CommandLine,
  knownNames: readonly string[],
): void {
  const unexpected = givenNames.find((name) => !knownNames.includes(name))
  if (unexpected !== undefined)
    throw new StartError(`\`${command}\` has no option '--${unexpected}': ${suggestOption(unexpected, knownNames)}`)
}

function suggestOption(name: string, knownNames: readonly string[]): string {
  const suggestion = nearest(name, knownNames)
  if (suggestion !== null) return `did you mean --${suggestion}?`
  return knownNames.length === 0 ? 'it has none.' : `it has ${knownNames.map((each) => `--${each}`).join(', ')}.`
}
