/** Arguments that several commands take. */
import { parseArgs } from 'node:util'
import type { Dialect } from '../core/model/dialect.ts'
import { UsageError } from '../core/usage-error.ts'

/** The one argument of a command. @param what how it is called in a sentence @throws UsageError for none, and for more */
export function singleArgument(args: readonly string[], command: string, what: string): string {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true, strict: true })
  const [argument, ...others] = positionals
  if (argument === undefined || others.length > 0)
    throw new UsageError(`\`ingot ${command}\` takes one ${what}: write \`ingot ${command} ${what}\`.`)
  return argument
}

/** The folder that a command works on, by default the one that it is called in. @throws UsageError for several */
export function folderOf(positionals: readonly string[], command: string): string {
  if (positionals.length > 1)
    throw new UsageError(
      `\`ingot ${command}\` takes one folder, not ${positionals.length}: leave out '${positionals[1]}'.`,
    )
  return positionals[0] ?? '.'
}

/** @throws UsageError for a dialect that there is not */
export function dialectOf(name: string): Dialect {
  if (name === 'platform' || name === 'liquid') return name
  throw new UsageError(`There is no dialect '${name}': there are platform and liquid.`)
}
