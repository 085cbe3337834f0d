/** `filter-argument-type`: a value of the wrong type for a filter. `parameter` is `input` for the piped value. */
import { type Expression, type FilterCall, unfiltered } from '../../../../core/tree/ast.ts'
import type { FilterParameter, FilterSignature, ParameterKind } from '../../../../core/model/signature.ts'
import type { Type } from '../../../../core/model/type.ts'
import { filterTable } from '../../../../language/types/filters.ts'
import { type Category, categories, describe, literalTexts } from '../../../../language/types/relate.ts'
import { refusedBy } from '../../walk/closed-arguments.ts'
import type { FilterInput } from '../../walk/filter-input.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const filterArgumentType = message(
  'filter-argument-type',
  'warning',
  'ValidFilterArgumentTypes',
  (filter: string, parameter: string, expected: string, found: string) => ({
    subject: { kind: 'argument', name: parameter, of: filter, type: found },
    text:
      parameter === 'input'
        ? `The filter ${quote(filter)} needs ${withArticle(expected)}, but this is ${withArticle(found)}.`
        : `The filter ${quote(filter)} needs ${withArticle(expected)} as ${parameter.includes(' ') ? parameter : quote(parameter)}, but this is ${withArticle(found)}.`,
  }),
  {
    wrong: `{{ 'a' | array_sum }}`,
    right: '{% assign list = [1, 2] %}{{ list | array_sum }}',
  },
)

/** Reports an input or an argument whose type a filter refuses. Base Liquid refuses none. */
export function checkFilterTypes(
  walk: Walk,
  call: FilterCall,
  filter: FilterSignature,
  filterInput: FilterInput,
): void {
  const isOfHost = filter.own === true
  if (!isOfHost) {
    const name = filter.aliasOf ?? filter.name
    if (!walk.platform || checkText(walk, call, name, filterInput) || checkTimeOrMoney(walk, call, name, filterInput))
      return
    // The filters of base Liquid accept any value.
    if (filterTable('liquid').has(name)) return
  }
  const [input, ...others] = filter.parameters
  const parameterAt = (index: number): FilterParameter | null => others[index] ?? filter.rest
  if (input !== undefined) {
    const span = filterInput.source?.span ?? call.name.span
    checkType(walk, call, input, { type: filterInput.input, span, name: 'input', isOfHost })
  }
  call.positional.forEach(({ span }, index) => {
    const parameter = parameterAt(index)
    const type = filterInput.positional[index]
    if (parameter !== null && type !== undefined)
      checkType(walk, call, parameter, { type, span, name: parameter.name, isOfHost })
  })
}

/** The categories of values that a kind of parameter refuses. */
const TYPE_RULES: Readonly<
  Partial<Record<ParameterKind, { readonly expected: string; readonly refused: readonly Category[] }>>
> = {
  list: { expected: 'array', refused: ['text', 'number', 'boolean'] },
  hash: { expected: 'hash', refused: ['text', 'number', 'boolean'] },
  number: { expected: 'number', refused: ['list', 'hash', 'boolean'] },
}

/** Filters that take a time, and filters that take an amount of money. */
const TIME_FILTERS: ReadonlySet<string> = new Set(
  'date strftime l to_time to_date add_to_time date_add time_diff is_date_before is_date_in_past'.split(' '),
)
const MONEY_FILTERS: ReadonlySet<string> = new Set(
  'pricify pricify_cents amount_to_fractional fractional_to_amount'.split(' '),
)
/** A word for a time, or for a part of a time. */
const TIME_WORD =
  /\d|\b(?:now|today|tomorrow|yesterday|noon|midnight|next|last|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i

/** Fields of a person that are neither a time nor an amount. */
const PERSON_TEXT_FIELDS: ReadonlySet<string> = new Set('email first_name middle_name last_name slug'.split(' '))
/** Names of variables for a person, whose field `name` is neither a time nor an amount. */
const PERSON_NAMES: ReadonlySet<string> = new Set('user current_user author owner profile person customer'.split(' '))

/** Returns whether a lookup reads a text field of a person. */
function readsPersonText(source: Expression | null): boolean {
  const bareExpression = source === null ? null : unfiltered(source)
  if (bareExpression?.kind !== 'lookup' || bareExpression.name === null) return false
  const keys = [bareExpression.name.name, ...bareExpression.path.map((each) => (each.kind === 'key' ? each.name : ''))]
  const [holder, key] = keys.slice(-2)
  if (key === undefined || holder === undefined) return false
  return PERSON_TEXT_FIELDS.has(key) || (key === 'name' && PERSON_NAMES.has(holder))
}

/** Reports the input of a time or money filter that is not a time or an amount. Returns whether it was reported. */
function checkTimeOrMoney(walk: Walk, call: FilterCall, filter: string, { input, source }: FilterInput): boolean {
  const isTimeFilter = TIME_FILTERS.has(filter)
  if (!isTimeFilter && !MONEY_FILTERS.has(filter)) return false
  const inputCategories = [...(categories(input) ?? [])].filter((each) => each !== 'nil')
  if (inputCategories.length === 0) return false
  const texts = literalTexts(input)
  const isPersonText = inputCategories.every((each) => each === 'text') && texts === null && readsPersonText(source)
  const isUnrelatedText =
    texts !== null && texts.every((text) => text.trim() !== '' && !(isTimeFilter ? TIME_WORD : /\d/).test(text))
  if (
    !isUnrelatedText &&
    !isPersonText &&
    !inputCategories.every((each) => each === 'list' || each === 'hash' || each === 'boolean')
  )
    return false
  const shownValue = isUnrelatedText ? describeText(texts?.[0] ?? '') : describe(input)
  const expected = isTimeFilter ? 'time' : 'number'
  walk.report(filterArgumentType(source?.span ?? call.name.span, call.name.name, 'input', expected, shownValue))
  return true
}

/** Text filters, whose result for a list or a hash is not useful. */
const TEXT_FILTERS: ReadonlySet<string> = new Set(
  'upcase downcase capitalize strip lstrip rstrip strip_html strip_newlines newline_to_br truncate truncatewords replace replace_first remove remove_first url_encode url_decode slugify titleize humanize markdown split'.split(
    ' ',
  ),
)

/** List filters that base Liquid also has. */
const LIST_FILTERS: ReadonlySet<string> = new Set(['map', 'where', 'sum'])

/** Returns whether a value is a parameter of the partial that is read unconditionally, and all callers are known. */
function isPassedByCallers(walk: Walk, source: Expression | null): boolean {
  const bareExpression = source === null ? null : unfiltered(source)
  if (
    bareExpression?.kind !== 'lookup' ||
    bareExpression.name === null ||
    bareExpression.path.length > 0 ||
    walk.flow.isConditional
  )
    return false
  return !walk.isOwn(bareExpression.name.name) && walk.env.params?.has(bareExpression.name.name) === true
}

/** Reports a list or hash as the input of a text filter, and a text or number as the input of a list filter. Returns whether it was reported. */
function checkText(walk: Walk, call: FilterCall, filter: string, { input, source }: FilterInput): boolean {
  const isListFilter = LIST_FILTERS.has(filter)
  if (!isListFilter && !TEXT_FILTERS.has(filter)) return false
  const inputCategories = categories(input)
  if (inputCategories === null) return false
  const categoriesWithoutNil = [...inputCategories].filter((each) => each !== 'nil')
  // A text may be a list in JSON.
  if (
    isListFilter &&
    inputCategories.has('text') &&
    literalTexts(input)?.every((text) => !/^\s*[[{]/.test(text)) !== true
  )
    return false
  const isWrong = (each: Category) =>
    isListFilter ? each === 'text' || each === 'number' : each === 'list' || each === 'hash'
  const isAlwaysWrong = categoriesWithoutNil.length > 0 && categoriesWithoutNil.every(isWrong)
  // Some callers certainly pass a value of a type that does not fit.
  const isSometimesWrong = !isListFilter && categoriesWithoutNil.some(isWrong) && isPassedByCallers(walk, source)
  if (!isAlwaysWrong && !isSometimesWrong) return false
  const expected = isListFilter ? 'array' : 'text'
  walk.report(filterArgumentType(source?.span ?? call.name.span, call.name.name, 'input', expected, describe(input)))
  return true
}

interface CheckedArgument {
  readonly type: Type
  readonly span: FilterCall['span']
  /** The parameter's name, or `input`. */
  readonly name: string
  /** Whether the library host provides the filter, so that only its declaration counts. */
  readonly isOfHost: boolean
}

function checkType(
  walk: Walk,
  call: FilterCall,
  parameter: FilterParameter,
  { type, span, name, isOfHost }: CheckedArgument,
): void {
  const rule = TYPE_RULES[parameter.kind]
  if (rule === undefined) return
  const valueCategories = categories(type)
  if (valueCategories === null || valueCategories.size === 0) return
  const isRefusedText = isOfHost && parameter.kind === 'number' && isNonNumericText(type)
  for (const category of valueCategories) if (!isRefusedText && !rule.refused.includes(category)) return
  walk.report(filterArgumentType(span, call.name.name, name, rule.expected, describe(type)))
}

/** Returns whether a value is certainly a text that does not begin with a number. */
function isNonNumericText(type: Type): boolean {
  return literalTexts(type)?.every((text) => !/^\s*-?\d/.test(text)) === true
}

/** Reports a literal input or argument of an arithmetic filter that is not a number. It counts as zero, or fails. */
export function checkNumbers(walk: Walk, call: FilterCall, { source }: FilterInput): void {
  const checkOne = (parameter: string, value: Expression | null | undefined): void => {
    const found = locatedText(value)
    if (found !== null && isNotNumber(found.text))
      walk.report(filterArgumentType(found.span, call.name.name, parameter, 'number', describeText(found.text)))
  }
  if (!call.name.name.startsWith('truncate')) checkOne('input', source)
  checkDivisor(walk, call)
  checkOne('its argument', call.positional[0])
}

function describeText(text: string): string {
  return `text ${JSON.stringify(text)}`
}

/** Reports literal arguments that are not on the closed list of their filter. */
export function checkClosedLists(walk: Walk, call: FilterCall, filter: string): void {
  for (const [at, expression] of call.positional.entries()) {
    const argument = locatedText(expression)
    const takes = argument === null ? null : refusedBy(filter, at, argument.text)
    if (argument === null || takes === null) continue
    walk.report(filterArgumentType(argument.span, call.name.name, 'its argument', takes, describeText(argument.text)))
  }
}

function isNotNumber(text: string): boolean {
  return !/^\s*[-+]?\.?\d/.test(text) && text.trim() !== ''
}

/** Reports an integer division by zero, which fails. */
function checkDivisor(walk: Walk, { name, positional: [divisor] }: FilterCall): void {
  if (divisor === undefined || walk.flow.inTry || !/^(?:divided_by|modulo)$/.test(name.name)) return
  const bareExpression = unfiltered(divisor)
  if (bareExpression.kind === 'literal' && bareExpression.value.type === 'integer' && bareExpression.value.value === 0)
    walk.report(filterArgumentType(divisor.span, name.name, 'its argument', 'number other than zero', 'zero'))
}
