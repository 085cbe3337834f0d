/** Arguments shared by several commands. */
import { parseArgs } from 'node:util'
import type { Dialect } from '../core/model/dialect.ts'
import { UsageError } from '../core/usage-error.ts'

/**
 * Returns the single argument of a command.
 * @param argumentName its name in messages
 * @throws UsageError for none, and for more than one
 */
export function singleArgument(args: readonly string[], command: string, argumentName: string): string {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true, strict: true })
  const [argument, ...otherArguments] = positionals
  if (argument === undefined || otherArguments.length > 0)
    throw new UsageError(`\`ingot ${command}\` takes one ${argumentName}: write \`ingot ${command} ${argumentName}\`.`)
  return argument
}

/** Returns the folder of a command; the current folder by default. @throws UsageError for several */
export function folderOf(positionals: readonly string[], command: string): string {
  if (positionals.length > 1)
    throw new UsageError(
      `\`ingot ${command}\` takes one folder, not ${positionals.length}: leave out '${positionals[1]}'.`,
    )
  return positionals[0] ?? '.'
}

/** Returns the dialect with this name. @throws UsageError for an unknown name */
export function dialectOf(name: string): Dialect {
  if (name === 'platform' || name === 'liquid') return name
  throw new UsageError(`There is no dialect '${name}': use platform or liquid.`)
}
