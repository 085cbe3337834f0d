/** Checks the filters of a chain: their existence, their arguments and the types of their results. */
import { deprecatedFilter } from '../rules/tags-and-filters/deprecated-filter.ts'
import { filterArgumentType } from '../rules/tags-and-filters/filter-argument-type.ts'
import { networkInTransaction } from '../rules/queries/network-in-transaction.ts'
import { filterArity } from '../rules/tags-and-filters/filter-arity.ts'
import { unknownFilter } from '../rules/tags-and-filters/unknown-filter.ts'
import { unknownFilterArgument } from '../rules/tags-and-filters/unknown-filter-argument.ts'
import { type Expression, type FilterCall, unfiltered } from '../../../core/tree/ast.ts'
import type { FilterParameter, FilterSignature, ParameterKind } from '../../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { requiredCount } from '../../../language/types/arity.ts'
import { refinedResult } from '../../../language/types/filter-results.ts'
import { changesInput, filterTable } from '../../../language/types/filters.ts'
import type { ChangedKeys } from '../../../language/types/changed-keys.ts'
import { type Category, categories, describe, literalTexts } from '../../../language/types/relate.ts'
import { contextPath } from '../walk/context-paths.ts'
import { checkKeys } from './element-keys.ts'
import { isNewValue } from '../walk/new-values.ts'
import { checkClosedLists, FILTER_RULES } from './filter-rules.ts'
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import type { TextPattern } from '../walk/state.ts'
import type { Walk } from '../walk/walk.ts'

/** The types of the input and the arguments of a filter. */
export interface FilterInput {
  readonly input: Type
  readonly positional: readonly Type[]
  readonly named: readonly Type[]
  /** The piped value; null after another filter. */
  readonly source: Expression | null
  /** Returns the patterns of the possible texts of the input; null if the texts are not known. */
  readonly texts: () => readonly TextPattern[] | null
}

/** Filters whose result depends on the language of the visitor. */
const LANGUAGE_FILTERS: ReadonlySet<string> = new Set(['t', 't_escape', 'l'])

/** Checks one filter and returns the type of its result. */
export function applyFilter(walk: Walk, call: FilterCall, filterInput: FilterInput): Type {
  const { name } = call
  const filter = walk.env.filters.get(name.name)
  if (filter === undefined) {
    const diagnostic = unknownFilter(name.span, name.name, walk.env.filters.keys(), walk.env.site.dialect)
    walk.report(
      walk.env.site.config.liquidCheckMode === 'warning' ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
    // If an unknown filter is not rejected, it returns its input.
    return UNKNOWN
  }
  if (filter.serverOnly === true) walk.report(needsServer(name.span, `The filter \`${name.name}\``))
  if (walk.platform && filter.deprecated !== null)
    walk.report(deprecatedFilter(name.span, name.name, filter.deprecated, filterInput.source?.kind === 'literal'))
  if (!checkArity(walk, call, filter)) return filter.result
  checkNames(walk, call, filter)
  if (walk.platform || filter.own === true) checkTypes(walk, call, filter, filterInput)
  const canonical = filter.aliasOf ?? filter.name
  if (walk.platform) {
    FILTER_RULES.get(canonical)?.(walk, call, filterInput.source, filterInput.texts)
    checkClosedLists(walk, call, canonical)
  }
  if (walk.platform) checkKeys(walk, canonical, call, filterInput.input)
  if (
    LANGUAGE_FILTERS.has(canonical) &&
    !call.named.some(({ name: each }) => each.name === 'locale' || each.name === 'language')
  )
    walk.readVisitor('language', name.span)
  if (canonical === 'download_file' && walk.flow.inTransaction)
    walk.report(networkInTransaction(name.span, name.name, null))
  const namedTypes =
    call.named.length === 0
      ? null
      : new Map(call.named.map((each, at): [string, Type] => [each.name.name, filterInput.named[at] ?? UNKNOWN]))
  const result = refinedResult(
    canonical,
    { input: filterInput.input, positional: filterInput.positional, namedTypes },
    filter.result,
  )
  if (changesInput(filter)) {
    walk.findings.addSideEffect()
    const changedKeys = literalTexts(filterInput.positional[0] ?? UNKNOWN)
    changeInput(
      walk,
      filterInput.source,
      changedKeys === null ? null : new Set(changedKeys),
      canonical === 'hash_add_key' ? result : withoutKey(filterInput.input, changedKeys),
    )
  }
  return result
}

/** Returns the type of a hash after one key is removed; null if the key, or the keys of the hash, are not known. */
function withoutKey(type: Type, removedKeys: readonly string[] | null): Type | null {
  const [key, secondKey] = removedKeys ?? []
  if (type.kind !== 'record' || type.open || key === undefined || secondKey !== undefined || !type.fields.has(key))
    return null
  return { ...type, fields: new Map([...type.fields].filter(([name]) => name !== key)) }
}

/**
 * Records that a filter has changed its input, a hash.
 * @param keys the changed keys; null for any key
 * @param changedType the type of the input after the change; null if it is not known
 */
function changeInput(walk: Walk, source: Expression | null, keys: ChangedKeys, changedType: Type | null): void {
  if (source?.kind !== 'lookup' || source.name === null) {
    // No other variable refers to a new value.
    if (source === null || !isNewValue(walk, source)) walk.flow.changedElsewhere([], keys)
    return
  }
  // The declared types of `context` are kept.
  if (contextPath(walk, source.name, source.path) !== null) return
  if (changedType !== null && source.path.length === 0) walk.change(source.name, changedType, { keys, intoPart: false })
  else walk.flow.changedElsewhere([source.name.name], keys)
}

/**
 * Returns whether the number of arguments fits. The input and each positional argument count as one argument each; all named arguments
 * together count as one.
 */
function checkArity(walk: Walk, call: FilterCall, filter: FilterSignature): boolean {
  const argumentCount = 1 + call.positional.length + (call.named.length > 0 ? 1 : 0)
  const namedCount = filter.named === null ? 0 : 1
  const minimum = requiredCount(filter.parameters) + (filter.named?.required === true ? 1 : 0)
  const maximum = filter.rest === null ? filter.parameters.length + namedCount : null
  if (argumentCount >= minimum && (maximum === null || argumentCount <= maximum)) return true
  const diagnostic = filterArity(call.span, call.name.name, argumentCount, minimum, maximum)
  // A `try` may catch the fault on purpose.
  walk.report(walk.flow.inTry ? { ...diagnostic, severity: 'warning' } : diagnostic)
  return false
}

function checkNames(walk: Walk, call: FilterCall, filter: FilterSignature): void {
  if (filter.named === null || filter.named.open) return
  const { names } = filter.named
  for (const { name } of call.named) {
    if (!names.includes(name.name)) walk.report(unknownFilterArgument(name.span, call.name.name, name.name, names))
  }
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
  const shownValue = isUnrelatedText ? `text ${JSON.stringify(texts?.[0] ?? '')}` : describe(input)
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

function checkTypes(walk: Walk, call: FilterCall, filter: FilterSignature, filterInput: FilterInput): void {
  const isOfHost = filter.own === true
  if (!isOfHost && checkText(walk, call, filter.aliasOf ?? filter.name, filterInput)) return
  if (!isOfHost && checkTimeOrMoney(walk, call, filter.aliasOf ?? filter.name, filterInput)) return
  // The filters of base Liquid accept any value.
  if (!isOfHost && filterTable('liquid').has(filter.aliasOf ?? filter.name)) return
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
