/** Keys of translations that templates put together: whether any translation can be meant. */
import { missingTranslationArgument } from '../../../core/diagnostics/codes/site/missing-translation-argument.ts'
import { unplacedArgument } from '../../../core/diagnostics/codes/site/unplaced-argument.ts'
import { findTypo } from '../../../core/diagnostics/suggest.ts'
import { literalText } from './literal-text.ts'
import { unmatchedKey } from '../../../core/diagnostics/codes/site/unmatched-key.ts'
import { hasEnds } from '../../../core/model/bound.ts'
import type { Expression, FilterCall } from '../../../core/model/ast.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { TextPattern } from './state.ts'
import { BUILT_IN, placeholdersIn } from './translations.ts'
import type { Walk } from './walk.ts'

/** Names of arguments with which another key, or another text, may be meant. */
const ELSEWHERE: ReadonlySet<string> = new Set(['default', 'fallback', 'locale', 'scope'])

/** `texts`: what the key can be; null where nothing is known. */
export function checkComputedKey(
  walk: Walk,
  call: FilterCall,
  source: Expression | null,
  texts: readonly TextPattern[] | null,
): void {
  checkPlaces(walk, call, source)
  if (texts === null || call.positional.length > 0 || call.named.some(({ name }) => ELSEWHERE.has(name.name))) return
  const { site } = walk.env
  const missing = texts.filter((text) => !mayBeThere(site, text))
  const [first] = missing
  const place = placeOf(walk, call, source)
  if (first === undefined || place === null) return
  walk.report(unmatchedKey(place, first.prefix, first.suffix, first.exact))
}

/** The places of all translations of a site, by its tree. */
const places = new WeakMap<Site['translations'], ReadonlySet<string>>()

function placesOf({ translations }: Site): ReadonlySet<string> {
  const known = places.get(translations)
  if (known !== undefined) return known
  const found = new Set<string>()
  for (const tree of translations.values()) addPlaces(tree, found)
  places.set(translations, found)
  return found
}

function addPlaces(node: TranslationNode, found: Set<string>): void {
  if (node.kind === 'map') for (const each of node.entries.values()) addPlaces(each, found)
  else if (typeof node.value === 'string') for (const name of placeholdersIn(node.value)) found.add(name)
}

/** Arguments that no translation at all has a place for, and those that the key lacks which is meant where there is no other. */
function checkPlaces(walk: Walk, call: FilterCall, source: Expression | null): void {
  const { site } = walk.env
  const given = call.named.map(({ name }) => name).filter(({ name }) => name !== 'count' && !ELSEWHERE.has(name))
  if (given.length > 0) {
    const known = placesOf(site)
    for (const { name, span } of given) {
      const meant = known.has(name) ? null : findTypo(name, known)
      if (meant !== null) walk.report(unplacedArgument(span, name, meant))
    }
    return
  }
  const key = call.named.length > 0 || call.positional.length > 0 ? null : defaultOf(source)
  const found = key === null ? null : translationAt(site.translations.get('en'), key.text)
  if (key === null || found?.kind !== 'value' || typeof found.value !== 'string') return
  const lacking = [...new Set(placeholdersIn(found.value))]
  if (lacking.length > 0) walk.report(missingTranslationArgument(key.span, key.text, lacking, found.span))
}

/** The text that a value has where there is none. */
function defaultOf(source: Expression | null): { readonly text: string; readonly span: Span } | null {
  const last = source?.kind === 'filtered' ? source.filters.at(-1) : undefined
  const [value] = last?.name.name === 'default' ? last.positional : []
  const text = value === undefined ? null : literalText(value)
  return value === undefined || text === null ? null : { text, span: value.span }
}

/** Where the text was made: of a variable where it was set, and null where that is in another file. */
function placeOf(walk: Walk, call: FilterCall, source: Expression | null): Span | null {
  const bare = source?.kind === 'filtered' && source.filters.length === 0 ? source.input : source
  if (bare?.kind !== 'lookup' || bare.name === null || bare.path.length > 0) return source?.span ?? call.name.span
  return walk.flow.variables.get(bare.name.name)?.span ?? null
}

function mayBeThere(site: Site, { prefix, suffix, exact }: TextPattern): boolean {
  if (prefix === '' && suffix === '') return true
  if (BUILT_IN.test(prefix) || prefix.startsWith('modules/')) return true
  const trees = [...site.translations.values()]
  if (exact) return trees.some((tree) => translationAt(tree, prefix) !== null)
  return trees.some((tree) => hasKey(tree, '', prefix, suffix))
}

function hasKey(map: TranslationMap, path: string, prefix: string, suffix: string): boolean {
  for (const [name, node] of map.entries) {
    const key = path === '' ? name : `${path}.${name}`
    if (hasEnds(key, prefix, suffix)) return true
    const mayHold = key.startsWith(prefix) || prefix.startsWith(`${key}.`)
    if (node.kind === 'map' && mayHold && hasKey(node, key, prefix, suffix)) return true
  }
  return false
}
