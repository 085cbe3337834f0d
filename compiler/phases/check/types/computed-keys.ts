/** Checks computed translation keys: whether any translation matches, and whether its placeholders are filled. */
import { missingTranslationArgument } from '../rules/site/missing-translation-argument.ts'
import { unplacedArgument } from '../rules/site/unplaced-argument.ts'
import { findTypo } from '../../../core/diagnostics/suggest.ts'
import { literalText } from '../walk/literal-text.ts'
import { unmatchedKey } from '../rules/site/unmatched-key.ts'
import { hasEnds } from '../../../core/model/outline.ts'
import type { Expression, FilterCall } from '../../../core/tree/ast.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { TextPattern } from '../walk/state.ts'
import { BUILT_IN, placeholdersIn } from '../walk/translations.ts'
import type { Walk } from '../walk/walk.ts'

/** Arguments that replace the key or its text, so that another translation may be used. */
const REPLACING_ARGUMENTS: ReadonlySet<string> = new Set(['default', 'fallback', 'locale', 'scope'])

/**
 * Reports a computed key that no translation can match, and wrong arguments of the filter.
 * @param texts the patterns of the possible keys; null if they are not known
 */
export function checkComputedKey(
  walk: Walk,
  call: FilterCall,
  source: Expression | null,
  texts: readonly TextPattern[] | null,
): void {
  checkPlaceholders(walk, call, source)
  if (texts === null || call.positional.length > 0 || call.named.some(({ name }) => REPLACING_ARGUMENTS.has(name.name)))
    return
  const { site } = walk.env
  const unmatchedTexts = texts.filter((text) => !mayExist(site, text))
  const [first] = unmatchedTexts
  const span = spanToReport(walk, call, source)
  if (first === undefined || span === null) return
  walk.report(unmatchedKey(span, first.prefix, first.suffix, first.exact))
}

/** The placeholders in all translations of a site, cached by its translation tree. */
const placeholdersByTree = new WeakMap<Site['translations'], ReadonlySet<string>>()

function placeholdersOf({ translations }: Site): ReadonlySet<string> {
  const cached = placeholdersByTree.get(translations)
  if (cached !== undefined) return cached
  const placeholders = new Set<string>()
  for (const tree of translations.values()) addPlaceholders(tree, placeholders)
  placeholdersByTree.set(translations, placeholders)
  return placeholders
}

function addPlaceholders(node: TranslationNode, placeholders: Set<string>): void {
  if (node.kind === 'map') for (const each of node.entries.values()) addPlaceholders(each, placeholders)
  else if (typeof node.value === 'string') for (const name of placeholdersIn(node.value)) placeholders.add(name)
}

/**
 * Reports arguments that are misspelled placeholders. For a filter without arguments, reports the unfilled placeholders in the translation
 * of the default key.
 */
function checkPlaceholders(walk: Walk, call: FilterCall, source: Expression | null): void {
  const { site } = walk.env
  const namedArguments = call.named
    .map(({ name }) => name)
    .filter(({ name }) => name !== 'count' && !REPLACING_ARGUMENTS.has(name))
  if (namedArguments.length > 0) {
    const placeholders = placeholdersOf(site)
    for (const { name, span } of namedArguments) {
      const suggestion = placeholders.has(name) ? null : findTypo(name, placeholders)
      if (suggestion !== null) walk.report(unplacedArgument(span, name, suggestion))
    }
    return
  }
  const key = call.named.length > 0 || call.positional.length > 0 ? null : defaultText(source)
  const translation = key === null ? null : translationAt(site.translations.get('en'), key.text)
  if (key === null || translation?.kind !== 'value' || typeof translation.value !== 'string') return
  const unfilled = [...new Set(placeholdersIn(translation.value))]
  if (unfilled.length > 0) walk.report(missingTranslationArgument(key.span, key.text, unfilled, translation.span))
}

/** Returns the literal argument of a final `default` filter; null if there is none. */
function defaultText(source: Expression | null): { readonly text: string; readonly span: Span } | null {
  const last = source?.kind === 'filtered' ? source.filters.at(-1) : undefined
  const [value] = last?.name.name === 'default' ? last.positional : []
  const text = value === undefined ? null : literalText(value)
  return value === undefined || text === null ? null : { text, span: value.span }
}

/** Returns the span of a variable's assignment, or of another value itself. Returns null if this template does not set the variable. */
function spanToReport(walk: Walk, call: FilterCall, source: Expression | null): Span | null {
  const input = source?.kind === 'filtered' && source.filters.length === 0 ? source.input : source
  if (input?.kind !== 'lookup' || input.name === null || input.path.length > 0) return source?.span ?? call.name.span
  return walk.flow.variables.get(input.name.name)?.span ?? null
}

function mayExist(site: Site, { prefix, suffix, exact }: TextPattern): boolean {
  if (prefix === '' && suffix === '') return true
  if (BUILT_IN.test(prefix) || prefix.startsWith('modules/')) return true
  const trees = [...site.translations.values()]
  if (exact) return trees.some((tree) => translationAt(tree, prefix) !== null)
  return trees.some((tree) => hasMatchingKey(tree, '', prefix, suffix))
}

function hasMatchingKey(map: TranslationMap, path: string, prefix: string, suffix: string): boolean {
  for (const [name, node] of map.entries) {
    const key = path === '' ? name : `${path}.${name}`
    if (hasEnds(key, prefix, suffix)) return true
    const mayContainMatch = key.startsWith(prefix) || prefix.startsWith(`${key}.`)
    if (node.kind === 'map' && mayContainMatch && hasMatchingKey(node, key, prefix, suffix)) return true
  }
  return false
}
