/** Options of a tag: the names that it knows and what each of them takes. */
import { missingTagArgument } from '../../core/diagnostics/codes/tags-and-filters/missing-tag-argument.ts'
import { tagArgumentType } from '../../core/diagnostics/codes/tags-and-filters/tag-argument-type.ts'
import { tagArgumentValue } from '../../core/diagnostics/codes/tags-and-filters/tag-argument-value.ts'
import { unknownTagArgument } from '../../core/diagnostics/codes/tags-and-filters/unknown-tag-argument.ts'
import { joinWithOr } from '../../core/diagnostics/words.ts'
import type { Expression, LiteralValue, NamedArgument } from '../../core/model/ast.ts'
import type { Type } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import { type Category, categories, describe } from '../types/relate.ts'
import type { CheckKit } from './tag.ts'

export interface Option {
  /** `any` takes every value. A number may be written as a text. */
  readonly takes: 'number' | 'text' | 'list' | 'hash' | 'any'
  /** The tag means nothing without it. */
  readonly required?: true
  /** Another value is an error, where others are counted as some number. */
  readonly exact?: true
  /** The texts that mean something. */
  readonly words?: readonly string[]
  /** They mean it in any case, with white space around them. */
  readonly anyCase?: true
  /** What a text must look like, and the words for that. */
  readonly pattern?: { readonly test: RegExp; readonly says: string }
  /** Bounds of a number, both of which belong to it. */
  readonly from?: number
  readonly to?: number
  /** What a number must be more than. */
  readonly above?: number
  /** The tag fails with a number out of bounds wherever it runs, and more than its own output is lost by that. */
  readonly strict?: true
  /** What to do instead of a value that means nothing. */
  readonly hint?: string
}

export type Options = Readonly<Record<string, Option>>

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)\s*$/

const REFUSED: Readonly<Record<Option['takes'], readonly Category[]>> = {
  number: ['list', 'hash', 'boolean'],
  text: ['list', 'hash', 'boolean'],
  list: ['text', 'number', 'boolean'],
  hash: ['text', 'number', 'boolean'],
  any: [],
}

/**
 * Reads the arguments of a tag that has no others than these options.
 * @param at the tag
 * @param other what another argument is: where it would decide whether something is kept, undone or logged, an error
 */
export function readOptions(
  tag: string,
  args: readonly NamedArgument[],
  options: Options,
  kit: CheckKit,
  at: Span,
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
  for (const name of known) {
    if (options[name]?.required === true && !args.some((each) => each.name.name === name))
      kit.report(missingTagArgument(at, tag, name))
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
      !(option.exact === true ? NUMBER : /^\s*[-+]?\d/).test(literal.value)) ||
    (kinds !== null && kinds.size > 0 && [...kinds].every((each) => REFUSED[option.takes].includes(each)))
  if (wrong) {
    const found = tagArgumentType(value.span, tag, name, option.takes, describe(type))
    kit.report(option.exact === true ? { ...found, severity: 'error' } : found)
    return
  }
  const expected = literal === null ? null : misfit(literal, option)
  if (expected === null) return
  const found = tagArgumentValue(value.span, tag, name, textOf(literal), expected, option.hint)
  kit.report(option.strict === true ? { ...found, severity: 'error' } : found)
}

/** What was expected in place of a literal that means nothing; null where it means something. */
function misfit(literal: LiteralValue, { takes, words, anyCase, pattern, from, to, above }: Option): string | null {
  if (takes === 'number') {
    const number = numberOf(literal)
    if (number === null) return null
    if (above !== undefined && number <= above) return `a number above ${above}`
    const inside = (from === undefined || number >= from) && (to === undefined || number <= to)
    if (inside) return null
    if (to === undefined) return `a number from ${from} on`
    return from === undefined ? `a number up to ${to}` : `a number from ${from} to ${to}`
  }
  if (literal.type !== 'string') return null
  const written = anyCase === true ? literal.value.trim().toLowerCase() : literal.value
  if (words !== undefined && !words.includes(written)) return joinWithOr(words)
  return pattern === undefined || pattern.test.test(literal.value) ? null : pattern.says
}

/** The number that a literal is, also in a text; null where it is none, or one that counts as something by its first digits. */
function numberOf(literal: LiteralValue): number | null {
  if (literal.type === 'integer' || literal.type === 'float') return Number(literal.value)
  return literal.type === 'string' && NUMBER.test(literal.value) ? Number(literal.value) : null
}

function textOf(literal: LiteralValue | null): string {
  return literal !== null && 'value' in literal ? String(literal.value) : ''
}
