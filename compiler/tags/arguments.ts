/** Reading the named arguments of a tag. */
import type { Expression, NamedArgument } from '../model/ast.ts'
import type { CheckKit } from './tag.ts'

/** The value of a named argument; of a repeated one the last. */
export function argument(args: readonly NamedArgument[], name: string): Expression | undefined {
  return args.findLast((each) => each.name.name === name)?.value
}

/** The arguments that are no options of the tag itself. */
export function others(args: readonly NamedArgument[], options: readonly string[]): readonly NamedArgument[] {
  return args.filter((each) => !options.includes(each.name.name))
}

export function readArguments(args: readonly NamedArgument[], kit: CheckKit): void {
  for (const { value } of args) kit.read(value)
}
