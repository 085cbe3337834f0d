/** Options of a tag: the names that it knows and what each of them takes. */
import { tagArgumentType } from '../diagnostics/codes/tag-argument-type.ts'
import { tagArgumentValue } from '../diagnostics/codes/tag-argument-value.ts'
import { unknownTagArgument } from '../diagnostics/codes/unknown-tag-argument.ts'
import type { Expression, NamedArgument } from '../model/ast.ts'
import type { Type } from '../model/type.ts'
import { type Category, categories, describe } from '../types/relate.ts'
import type { CheckKit } from './tag.ts'

export interface Option {
  /** `any` takes every value. A number may be written as a text. */
  readonly takes: 'number' | 'text' | 'any'
  /** Another value is an error, where others are counted as some number. */
  readonly exact?: true
  /** The texts that mean something. */
  readonly words?: readonly string[]
  /** Bounds of a whole number, both of which belong to it. */
  readonly from?: number
  readonly to?: number
}

export type Options = Readonly<Record<string, Option>>

const REFUSED: Readonly<Record<Option['takes'], readonly Category[]>> = {
  number: ['list', 'hash', 'boolean'],
  text: ['list', 'hash', 'boolean'],
  any: [],
}

/**
 * Reads the arguments of a tag that has no others than these options.
 * @param other what another argument is: where it would decide whether something is kept, undone or logged, an error
 */
export function readOptions(
  tag: string,
  args: readonly NamedArgument[],
  options: Options,
  kit: CheckKit,
  other: 'warning' | 'error' = 'warning',
): void {
  const known = Object.keys(options)
  for (const each of args) {
    if (known.includes(each.name.name)) readOption(tag, each, options, kit)
    else {
      kit.report({ ...unknownTagArgument(each.name.span, tag, each.name.name, known), severity: other })
      kit.read(each.value)
    }
  }
}

/** Reads one argument; names that are no options take any value. */
export function readOption(tag: string, { name, value }: NamedArgument, options: Options, kit: CheckKit): void {
  const type = kit.read(value)
  const option = Object.hasOwn(options, name.name) ? options[name.name] : undefined
  if (option !== undefined) checkOption(tag, name.name, value, type, option, kit)
}

/** Says what is wrong with a value whose type is known. */
export function checkOption(
  tag: string,
  name: string,
  value: Expression,
  type: Type,
  option: Option,
  kit: CheckKit,
): void {
  const literal = value.kind === 'literal' ? value.value : null
  const kinds = categories(type)
  const wrong =
    (option.takes === 'number' &&
      literal?.type === 'string' &&
      !(option.exact === true ? /^\s*[-+]?(?:\d+\.?\d*|\.\d+)\s*$/ : /^\s*[-+]?\d/).test(literal.value)) ||
    (kinds !== null && kinds.size > 0 && [...kinds].every((each) => REFUSED[option.takes].includes(each)))
  if (wrong) {
    const found = tagArgumentType(value.span, tag, name, option.takes, describe(type))
    kit.report(option.exact === true ? { ...found, severity: 'error' } : found)
    return
  }
  const { words, from, to } = option
  if (words !== undefined && literal?.type === 'string' && !words.includes(literal.value)) {
    kit.report(
      tagArgumentValue(
        value.span,
        tag,
        name,
        literal.value,
        words
          .map((word) => `\`${word}\``)
          .join(', ')
          .replace(/, (?=[^,]*$)/, ' or '),
      ),
    )
  }
  if (
    from !== undefined &&
    to !== undefined &&
    literal?.type === 'integer' &&
    (literal.value < from || literal.value > to)
  ) {
    kit.report(tagArgumentValue(value.span, tag, name, String(literal.value), `a number from ${from} to ${to}`))
  }
}
