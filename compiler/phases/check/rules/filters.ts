/** Filters of a chain: whether they exist, what they are given, and what they give. */
import { deprecatedFilter } from '../../../core/diagnostics/codes/tags-and-filters/deprecated-filter.ts'
import { filterArgumentType } from '../../../core/diagnostics/codes/tags-and-filters/filter-argument-type.ts'
import { networkInTransaction } from '../../../core/diagnostics/codes/queries/network-in-transaction.ts'
import { filterArity } from '../../../core/diagnostics/codes/tags-and-filters/filter-arity.ts'
import { unknownFilter } from '../../../core/diagnostics/codes/tags-and-filters/unknown-filter.ts'
import { unknownFilterArgument } from '../../../core/diagnostics/codes/tags-and-filters/unknown-filter-argument.ts'
import { type Expression, type FilterCall, unfiltered } from '../../../core/model/ast.ts'
import type { FilterParameter, FilterSignature, ParameterKind } from '../../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { requiredCount } from '../../../language/types/arity.ts'
import { refinedResult } from '../../../language/types/filter-results.ts'
import { changesInput, filterTable } from '../../../language/types/filters.ts'
import type { ChangedKeys } from '../../../language/types/changed-keys.ts'
import { type Category, categories, describe, literalTexts } from '../../../language/types/relate.ts'
import { belowContext } from './below-context.ts'
import { checkKeys } from './element-keys.ts'
import { isFresh } from './fresh.ts'
import { checkClosedLists, FILTER_RULES } from './filter-rules.ts'
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import type { TextPattern } from './state.ts'
import type { Walk } from './walk.ts'

/** Types of what a filter is given. `source` is the piped value where no other filter stands before this one. */
export interface FilterInput {
  readonly input: Type
  readonly positional: readonly Type[]
  readonly named: readonly Type[]
  readonly source: Expression | null
  /** What is known of the texts that the input can be. */
  readonly texts: () => readonly TextPattern[] | null
}

/** Filters whose result is in the language of the visitor. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(['t', 't_escape', 'l'])

/** Checks one filter and gives the type of its result. */
export function applyFilter(walk: Walk, call: FilterCall, filterInput: FilterInput): Type {
  const { name } = call
  const filter = walk.env.filters.get(name.name)
  if (filter === undefined) {
    const diagnostic = unknownFilter(name.span, name.name, walk.env.filters.keys(), walk.env.site.dialect)
    walk.report(
      walk.env.site.config.liquidCheckMode === 'warning' ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
    // An unknown filter that is let through gives its input.
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
    OF_LANGUAGE.has(canonical) &&
    !call.named.some(({ name: each }) => each.name === 'locale' || each.name === 'language')
  )
    walk.readVisitor('language', name.span)
  if (canonical === 'download_file' && walk.flow.inTransaction)
    walk.report(networkInTransaction(name.span, name.name, null))
  const named =
    call.named.length === 0
      ? null
      : new Map(call.named.map((each, at): [string, Type] => [each.name.name, filterInput.named[at] ?? UNKNOWN]))
  const result = refinedResult(
    canonical,
    { input: filterInput.input, positional: filterInput.positional, named },
    filter.result,
  )
  if (changesInput(filter)) {
    walk.findings.addSideEffect()
    const written = literalTexts(filterInput.positional[0] ?? UNKNOWN)
    changeInput(
      walk,
      filterInput.source,
      written === null ? null : new Set(written),
      canonical === 'hash_add_key' ? result : withoutKey(filterInput.input, written),
    )
  }
  return result
}

/** A hash without the one key that is taken out of it; null where not all of its keys are known. */
function withoutKey(type: Type, written: readonly string[] | null): Type | null {
  const [key, other] = written ?? []
  if (type.kind !== 'record' || type.open || key === undefined || other !== undefined || !type.fields.has(key))
    return null
  return { ...type, fields: new Map([...type.fields].filter(([name]) => name !== key)) }
}

/**
 * What is known after a filter has changed the hash that it was given. `same`: the type of that very hash, where the filter
 * gives it back.
 */
function changeInput(walk: Walk, source: Expression | null, keys: ChangedKeys, same: Type | null): void {
  if (source?.kind !== 'lookup' || source.name === null) {
    // A literal is held by nobody else.
    if (source === null || !isFresh(walk, source)) walk.flow.changedElsewhere([], keys)
    return
  }
  // A part of `context` stays as it is.
  if (belowContext(walk, source.name, source.path) !== null) return
  if (same !== null && source.path.length === 0) walk.change(source.name, same, { keys, intoPart: false })
  else walk.flow.changedElsewhere([source.name.name], keys)
}

/** The piped value counts as one, each positional argument as one, and all named ones together as one. */
function checkArity(walk: Walk, call: FilterCall, filter: FilterSignature): boolean {
  const given = 1 + call.positional.length + (call.named.length > 0 ? 1 : 0)
  const group = filter.named === null ? 0 : 1
  const least = requiredCount(filter.parameters) + (filter.named?.required === true ? 1 : 0)
  const most = filter.rest === null ? filter.parameters.length + group : null
  if (given >= least && (most === null || given <= most)) return true
  const diagnostic = filterArity(call.span, call.name.name, given, least, most)
  // The author may wait for it in a `try`.
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

/** Kinds of parameters that refuse some values, and which. */
const REFUSED: Readonly<
  Partial<Record<ParameterKind, { readonly expected: string; readonly refused: readonly Category[] }>>
> = {
  list: { expected: 'array', refused: ['text', 'number', 'boolean'] },
  hash: { expected: 'hash', refused: ['text', 'number', 'boolean'] },
  number: { expected: 'number', refused: ['list', 'hash', 'boolean'] },
}

/** Filters of moments, and of money. */
const MOMENTS: ReadonlySet<string> = new Set(
  'date strftime l to_time to_date add_to_time date_add time_diff is_date_before is_date_in_past'.split(' '),
)
const MONEY: ReadonlySet<string> = new Set('pricify pricify_cents amount_to_fractional fractional_to_amount'.split(' '))
/** Words that stand for a moment, or for a part of one. */
const MOMENT_WORD =
  /\d|\b(?:now|today|tomorrow|yesterday|noon|midnight|next|last|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i

/** Fields of people that are neither. */
const WORDS_OF_PEOPLE: ReadonlySet<string> = new Set('email first_name middle_name last_name slug'.split(' '))
/** Who has a name, which is neither. */
const PEOPLE: ReadonlySet<string> = new Set('user current_user author owner profile person customer'.split(' '))

/** Whether a lookup surely reads a word of a person. */
function readsWord(source: Expression | null): boolean {
  const bare = source === null ? null : unfiltered(source)
  if (bare?.kind !== 'lookup' || bare.name === null) return false
  const keys = [bare.name.name, ...bare.path.map((each) => (each.kind === 'key' ? each.name : ''))]
  const [holder, key] = keys.slice(-2)
  if (key === undefined || holder === undefined) return false
  return WORDS_OF_PEOPLE.has(key) || (key === 'name' && PEOPLE.has(holder))
}

/** Whether a moment, or an amount of money, is taken from what is none. */
function checkMeaning(walk: Walk, call: FilterCall, filter: string, { input, source }: FilterInput): boolean {
  const isMoment = MOMENTS.has(filter)
  if (!isMoment && !MONEY.has(filter)) return false
  const found = [...(categories(input) ?? [])].filter((each) => each !== 'nil')
  if (found.length === 0) return false
  const texts = literalTexts(input)
  const isWord = found.every((each) => each === 'text') && texts === null && readsWord(source)
  const isText =
    texts !== null && texts.every((text) => text.trim() !== '' && !(isMoment ? MOMENT_WORD : /\d/).test(text))
  if (!isText && !isWord && !found.every((each) => each === 'list' || each === 'hash' || each === 'boolean'))
    return false
  const shown = isText ? `text ${JSON.stringify(texts?.[0] ?? '')}` : describe(input)
  const expected = isMoment ? 'time' : 'number'
  walk.report(filterArgumentType(source?.span ?? call.name.span, call.name.name, 'input', expected, shown))
  return true
}

/** Filters of texts, which make of a list or a hash what nobody wants to read. */
const OF_TEXTS: ReadonlySet<string> = new Set(
  'upcase downcase capitalize strip lstrip rstrip strip_html strip_newlines newline_to_br truncate truncatewords replace replace_first remove remove_first url_encode url_decode slugify titleize humanize markdown split'.split(
    ' ',
  ),
)

/** Filters of lists that base Liquid has as well. */
const OF_LISTS: ReadonlySet<string> = new Set(['map', 'where', 'sum'])

/** Whether a value is what all callers of a partial pass, for which it has no condition. */
function isGiven(walk: Walk, source: Expression | null): boolean {
  const bare = source === null ? null : unfiltered(source)
  if (bare?.kind !== 'lookup' || bare.name === null || bare.path.length > 0 || walk.flow.isConditional) return false
  return !walk.isOwn(bare.name.name) && walk.env.params?.has(bare.name.name) === true
}

/** Whether a text is taken from what is a list or a hash, or a list from a text. */
function checkText(walk: Walk, call: FilterCall, filter: string, { input, source }: FilterInput): boolean {
  const isOfList = OF_LISTS.has(filter)
  if (!isOfList && !OF_TEXTS.has(filter)) return false
  const found = categories(input)
  if (found === null) return false
  const kinds = [...found].filter((each) => each !== 'nil')
  // A text may be the JSON of a list.
  if (isOfList && found.has('text') && literalTexts(input)?.every((text) => !/^\s*[[{]/.test(text)) !== true)
    return false
  const isWrong = (each: Category) =>
    isOfList ? each === 'text' || each === 'number' : each === 'list' || each === 'hash'
  const isAlways = kinds.length > 0 && kinds.every(isWrong)
  // Of several callers some surely pass what does not fit.
  const isSometimes = !isOfList && kinds.some(isWrong) && isGiven(walk, source)
  if (!isAlways && !isSometimes) return false
  const expected = isOfList ? 'array' : 'text'
  walk.report(filterArgumentType(source?.span ?? call.name.span, call.name.name, 'input', expected, describe(input)))
  return true
}

function checkTypes(walk: Walk, call: FilterCall, filter: FilterSignature, filterInput: FilterInput): void {
  const isOwn = filter.own === true
  if (!isOwn && checkText(walk, call, filter.aliasOf ?? filter.name, filterInput)) return
  if (!isOwn && checkMeaning(walk, call, filter.aliasOf ?? filter.name, filterInput)) return
  // Base Liquid's filters take what comes.
  if (!isOwn && filterTable('liquid').has(filter.aliasOf ?? filter.name)) return
  const [input, ...others] = filter.parameters
  const parameterAt = (index: number): FilterParameter | null => others[index] ?? filter.rest
  if (input !== undefined) {
    const span = filterInput.source?.span ?? call.name.span
    checkType(walk, call, input, { type: filterInput.input, span, name: 'input', isOwn })
  }
  call.positional.forEach(({ span }, index) => {
    const parameter = parameterAt(index)
    const type = filterInput.positional[index]
    if (parameter !== null && type !== undefined)
      checkType(walk, call, parameter, { type, span, name: parameter.name, isOwn })
  })
}

interface CheckedArgument {
  readonly type: Type
  readonly span: FilterCall['span']
  /** The parameter's name, or `input`. */
  readonly name: string
  /** It is for a filter of the library's host, whose declaration is all that it goes by. */
  readonly isOwn: boolean
}

function checkType(
  walk: Walk,
  call: FilterCall,
  parameter: FilterParameter,
  { type, span, name, isOwn }: CheckedArgument,
): void {
  const rule = REFUSED[parameter.kind]
  if (rule === undefined) return
  const found = categories(type)
  if (found === null || found.size === 0) return
  const isWord = isOwn && parameter.kind === 'number' && isNoNumber(type)
  for (const category of found) if (!isWord && !rule.refused.includes(category)) return
  walk.report(filterArgumentType(span, call.name.name, name, rule.expected, describe(type)))
}

/** Whether a value is surely a text that begins with no number. */
function isNoNumber(type: Type): boolean {
  return literalTexts(type)?.every((text) => !/^\s*-?\d/.test(text)) === true
}
