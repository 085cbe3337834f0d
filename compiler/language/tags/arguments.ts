/** Helpers of tags: for their named arguments, and for code that may fail. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { type Code, NULL, run } from '../../core/model/code.ts'
import type { Span } from '../../core/source/span.ts'
import type { CheckKit, EmitKit } from './tag.ts'

/** Returns the value of a named argument; the last one if it is repeated. */
export function findArgument(args: readonly NamedArgument[], name: string): Expression | undefined {
  return args.findLast((each) => each.name.name === name)?.value
}

/** Returns the arguments that are not options of the tag itself. */
export function withoutOptions(args: readonly NamedArgument[], options: readonly string[]): readonly NamedArgument[] {
  return args.filter((each) => !options.includes(each.name.name))
}

export function readArguments(args: readonly NamedArgument[], kit: CheckKit): void {
  for (const { value } of args) kit.read(value)
}

/** Returns the code of an optional value, or the code of nil. */
export function optionalCode(value: Expression | null | undefined, kit: EmitKit): Code {
  return value === null || value === undefined ? NULL : kit.value(value)
}

/** Returns the code of a named argument, or the code of nil. */
export function argumentCode(args: readonly NamedArgument[], name: string, kit: EmitKit): Code {
  return optionalCode(findArgument(args, name), kit)
}

/** Emits a call for its effect, which can always fail. */
export function writeEffect(span: Span, kit: EmitKit, code: () => Code): void {
  kit.guard(true, span, () => kit.add(run(code(), span)))
}
