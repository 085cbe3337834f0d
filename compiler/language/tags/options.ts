/** Options of a tag: their names and accepted values, and the checks for them. */
import { missingTagArgument } from '../../core/diagnostics/codes/tags-and-filters/missing-tag-argument.ts'
import { tagArgumentType } from '../../core/diagnostics/codes/tags-and-filters/tag-argument-type.ts'
import { tagArgumentValue } from '../../core/diagnostics/codes/tags-and-filters/tag-argument-value.ts'
import { unknownTagArgument } from '../../core/diagnostics/codes/tags-and-filters/unknown-tag-argument.ts'
import { joinWithOr } from '../../core/diagnostics/words.ts'
import type { Expression, LiteralValue, NamedArgument } from '../../core/tree/ast.ts'
import type { Type } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import { type Category, categories, describe } from '../types/relate.ts'
import type { CheckKit } from './tag.ts'

export interface Option {
  /** `any` accepts every value. A number can also be written as text. */
  readonly takes: 'number' | 'text' | 'list' | 'hash' | 'any'
  /** The tag cannot work without it. */
  readonly required?: true
  /** An invalid value is an error. Without this, other values are converted to a number. */
  readonly exact?: true
  /** The accepted texts. */
  readonly words?: readonly string[]
  /** The texts are compared without case and without surrounding white space. */
  readonly anyCase?: true
  /** The pattern of a text, and its description. */
  readonly pattern?: { readonly test: RegExp; readonly description: string }
  /** The inclusive bounds of a number. */
  readonly from?: number
  readonly to?: number
  /** The exclusive lower bound of a number. */
  readonly above?: number
  /** With a number out of bounds, the tag always fails at run time, and more than its own output is lost. */
  readonly strict?: true
  /** What to write instead of an invalid value. */
  readonly hint?: string
}

export type Options = Readonly<Record<string, Option>>

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)\s*$/

const WRONG_TYPES: Readonly<Record<Option['takes'], readonly Category[]>> = {
  number: ['list', 'hash', 'boolean'],
  text: ['list', 'hash', 'boolean'],
  list: ['text', 'number', 'boolean'],
  hash: ['text', 'number', 'boolean'],
  any: [],
}

/**
 * Reads the arguments of a tag that has only these options.
 * @param span the span of the tag
 * @param unknownSeverity the severity for an unknown argument: an error if the argument decides whether data is kept, undone or logged
 */
export function readOptions(
  tag: string,
  args: readonly NamedArgument[],
  options: Options,
  kit: CheckKit,
  span: Span,
  unknownSeverity: 'warning' | 'error' = 'warning',
): void {
  const knownNames = Object.keys(options)
  for (const each of args) {
    if (knownNames.includes(each.name.name)) readOption(tag, each, options, kit)
    else {
      kit.report({ ...unknownTagArgument(each.name.span, tag, each.name.name, knownNames), severity: unknownSeverity })
      kit.read(each.value)
    }
  }
  for (const name of knownNames) {
    if (options[name]?.required === true && !args.some((each) => each.name.name === name))
      kit.report(missingTagArgument(span, tag, name))
  }
}

/** Reads one argument. Names that are not options accept any value. */
export function readOption(tag: string, { name, value }: NamedArgument, options: Options, kit: CheckKit): void {
  const type = kit.read(value)
  const option = Object.hasOwn(options, name.name) ? options[name.name] : undefined
  if (option !== undefined) checkOption(tag, name.name, value, type, option, kit)
}

/** Reports an invalid value of an option. */
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
  const wrongCategory =
    (option.takes === 'number' &&
      literal?.type === 'string' &&
      !(option.exact === true ? NUMBER : /^\s*[-+]?\d/).test(literal.value)) ||
    (kinds !== null && kinds.size > 0 && [...kinds].every((each) => WRONG_TYPES[option.takes].includes(each)))
  if (wrongCategory) {
    const diagnostic = tagArgumentType(value.span, tag, name, option.takes, describe(type))
    kit.report(option.exact === true ? { ...diagnostic, severity: 'error' } : diagnostic)
    return
  }
  const expected = literal === null ? null : describeExpected(literal, option)
  if (expected === null) return
  const diagnostic = tagArgumentValue(value.span, tag, name, literalText(literal), expected, option.hint)
  kit.report(option.strict === true ? { ...diagnostic, severity: 'error' } : diagnostic)
}

/** Returns a description of the expected value for an invalid literal; null if the literal is valid. */
function describeExpected(
  literal: LiteralValue,
  { takes, words, anyCase, pattern, from, to, above }: Option,
): string | null {
  if (takes === 'number') {
    const number = parseNumber(literal)
    if (number === null) return null
    if (above !== undefined && number <= above) return `a number greater than ${above}`
    const isInBounds = (from === undefined || number >= from) && (to === undefined || number <= to)
    if (isInBounds) return null
    if (to === undefined) return `a number of at least ${from}`
    return from === undefined ? `a number of at most ${to}` : `a number from ${from} to ${to}`
  }
  if (literal.type !== 'string') return null
  const comparedText = anyCase === true ? literal.value.trim().toLowerCase() : literal.value
  if (words !== undefined && !words.includes(comparedText)) return joinWithOr(words)
  return pattern === undefined || pattern.test.test(literal.value) ? null : pattern.description
}

/** Returns the number in a literal, also in a text; null if it is not a number, or only begins with digits. */
function parseNumber(literal: LiteralValue): number | null {
  if (literal.type === 'integer' || literal.type === 'float') return Number(literal.value)
  return literal.type === 'string' && NUMBER.test(literal.value) ? Number(literal.value) : null
}

function literalText(literal: LiteralValue | null): string {
  return literal !== null && 'value' in literal ? String(literal.value) : ''
}
