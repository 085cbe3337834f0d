/** Reads the command lines of the commands that work with another server. */
import { parseArgs } from 'node:util'
import { StartError } from '../start-error.ts'

export interface RemoteLine {
  readonly words: readonly string[]
  has(name: string): boolean
  value(name: string): string | null
}

export interface KnownOptions {
  readonly switches: readonly string[]
  readonly values: readonly string[]
}

/**
 * Parses what follows a command.
 * @param command for messages: `ingot deploy`
 * @throws StartError for an option that is not known, or lacks its value
 */
export function readRemoteLine(
  command: string,
  rest: readonly string[],
  { switches, values }: KnownOptions,
): RemoteLine {
  const options: Record<string, { type: 'string' | 'boolean' }> = {}
  for (const name of switches) options[name] = { type: 'boolean' }
  for (const name of values) options[name] = { type: 'string' }
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, tokens: true, allowPositionals: true })
  const words: string[] = []
  const given = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const takesValue = values.includes(token.name)
    if (!takesValue && !switches.includes(token.name)) {
      const names = [...switches, ...values].map((name) => `--${name}`).join(', ')
      throw new StartError(`\`${command}\` has no option '${token.rawName}': it has ${names}.`)
    }
    if (takesValue && (token.value === undefined || token.value === ''))
      throw new StartError(`The option --${token.name} needs a value: --${token.name}=…`)
    if (!takesValue && token.value !== undefined) throw new StartError(`The option --${token.name} takes no value.`)
    given.set(token.name, token.value ?? '')
  }
  return { words, has: (name) => given.has(name), value: (name) => given.get(name) ?? null }
}
