/** Checks the filters of a chain: their existence, their arguments and the types of their results. */
import { checkNetworkFilter } from '../rules/queries/network-in-transaction.ts'
import { checkAssetPath } from '../rules/site/missing-asset.ts'
import { checkDateFormat } from '../rules/syntax/date-format.ts'
import { checkPattern } from '../rules/syntax/invalid-pattern.ts'
import { checkDeprecatedFilter } from '../rules/tags-and-filters/deprecated-filter.ts'
import { checkClosedLists, checkFilterTypes, checkNumbers } from '../rules/tags-and-filters/filter-argument-type.ts'
import { checkFilterArity } from '../rules/tags-and-filters/filter-arity.ts'
import { findFilter } from '../rules/tags-and-filters/unknown-filter.ts'
import { checkFilterArgumentNames } from '../rules/tags-and-filters/unknown-filter-argument.ts'
import { checkJsonText } from '../rules/values/invalid-json.ts'
import type { Expression, FilterCall } from '../../../core/tree/ast.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { refinedResult } from '../../../language/types/filter-results.ts'
import { changesInput } from '../../../language/types/filters.ts'
import type { ChangedKeys } from '../../../language/types/changed-keys.ts'
import { literalTexts } from '../../../language/types/relate.ts'
import { contextPath } from '../walk/context-paths.ts'
import { checkKeys } from './element-keys.ts'
import type { FilterInput } from '../walk/filter-input.ts'
import { isNewValue } from '../walk/new-values.ts'
import { checkTranslation } from './translations.ts'
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import type { Walk } from '../walk/walk.ts'

/** Checks a call of a filter. */
type FilterRule = (walk: Walk, call: FilterCall, input: FilterInput) => void

const onEach = (rule: FilterRule, names: string) => names.split(' ').map((name): [string, FilterRule] => [name, rule])

/** The rules about literal inputs and arguments of single filters. */
const RULES: ReadonlyMap<string, FilterRule> = new Map([
  ...onEach(checkTranslation, 't t_escape'),
  ...onEach(checkAssetPath, 'asset_url asset_path asset_name_to_raw_url'),
  ...onEach((walk, call) => checkPattern(walk, call, 1), 'matches regex_matches'),
  ...onEach((walk, call) => checkPattern(walk, call, 2), 'replace_regex'),
  ...onEach(checkJsonText, 'parse_json'),
  ...onEach(checkDateFormat, 'date strftime l localize'),
  ...onEach(checkNumbers, 'plus minus times divided_by modulo at_least at_most round truncate truncatewords'),
])

/** Filters whose result depends on the language of the visitor. */
const LANGUAGE_FILTERS: ReadonlySet<string> = new Set(['t', 't_escape', 'l'])

/** Checks one filter and returns the type of its result. */
export function applyFilter(walk: Walk, call: FilterCall, filterInput: FilterInput): Type {
  const { name } = call
  const filter = findFilter(walk, name)
  // If an unknown filter is not rejected, it returns its input.
  if (filter === null) return UNKNOWN
  if (filter.serverOnly === true) walk.report(needsServer(name.span, `The filter \`${name.name}\``))
  checkDeprecatedFilter(walk, call, filter, filterInput)
  if (!checkFilterArity(walk, call, filter)) return filter.result
  checkFilterArgumentNames(walk, call, filter)
  checkFilterTypes(walk, call, filter, filterInput)
  const canonical = filter.aliasOf ?? filter.name
  if (walk.platform) {
    RULES.get(canonical)?.(walk, call, filterInput)
    checkClosedLists(walk, call, canonical)
    checkKeys(walk, canonical, call, filterInput.input)
  }
  if (
    LANGUAGE_FILTERS.has(canonical) &&
    !call.named.some(({ name: each }) => each.name === 'locale' || each.name === 'language')
  )
    walk.readVisitor('language', name.span)
  checkNetworkFilter(walk, call, canonical)
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
