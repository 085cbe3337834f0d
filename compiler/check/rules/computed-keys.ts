/** Keys of translations that templates put together: whether any translation can be meant. */
import { unmatchedKey } from '../../diagnostics/codes/site/unmatched-key.ts'
import { hasEnds } from '../../model/bound.ts'
import type { Expression, FilterCall } from '../../model/ast.ts'
import type { TranslationMap } from '../../model/settings.ts'
import type { Site } from '../../model/site.ts'
import type { Span } from '../../source/span.ts'
import { translationAt } from '../../settings/translations.ts'
import type { TextPattern } from './state.ts'
import { BUILT_IN } from './translations.ts'
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
  if (texts === null || call.positional.length > 0 || call.named.some(({ name }) => ELSEWHERE.has(name.name))) return
  const { site } = walk.env
  const missing = texts.filter((text) => !mayBeThere(site, text))
  const [first] = missing
  const place = placeOf(walk, call, source)
  if (first === undefined || place === null) return
  walk.report(unmatchedKey(place, first.prefix, first.suffix, first.exact))
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
