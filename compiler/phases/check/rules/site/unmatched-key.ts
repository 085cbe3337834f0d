/** `unmatched-key`: a computed translation key that no translation can match. */
import { hasEnds, type TextPattern } from '../../../../core/model/outline.ts'
import type { Expression, FilterCall } from '../../../../core/tree/ast.ts'
import type { TranslationMap } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { Span } from '../../../../core/source/span.ts'
import { translationAt } from '../../../../language/settings/translations.ts'
import type { Texts } from '../../../analyze/domains/constant-texts.ts'
import { BUILT_IN, REPLACING_ARGUMENTS } from '../../walk/translations.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unmatchedKey = message(
  'unmatched-key',
  'warning',
  'TranslationKeyExists',
  (prefix: string, suffix: string, exact: boolean) => ({
    subject: { kind: 'translation', name: exact ? prefix : `${prefix}…${suffix}` },
    text: exact
      ? `This key can be ${quote(prefix)}, but there is no such translation.`
      : `No translation key matches ${quote(`${prefix}…${suffix}`)}.`,
    hint: 'Correct the fixed part of the key, or add the translations.',
  }),
  {
    wrong: "{% assign key = 'statuz.' | append: context.params.kind %}{{ key | t }}{{ 'status.draft' | t }}",
    right: "{% assign key = 'status.' | append: context.params.kind %}{{ key | t }}",
    both: { 'app/translations/en.yml': 'en:\n  status:\n    draft: Draft\n' },
  },
)

/**
 * Reports a computed key that no translation can match.
 * @param texts the patterns of the possible keys; null if they are not known
 */
export function checkUnmatchedKey(walk: Walk, call: FilterCall, source: Expression | null, texts: Texts): void {
  if (texts === null || call.positional.length > 0 || call.named.some(({ name }) => REPLACING_ARGUMENTS.has(name.name)))
    return
  const { site } = walk.env
  const unmatchedTexts = texts.filter((text) => !mayExist(site, text))
  const [first] = unmatchedTexts
  const span = spanToReport(walk, call, source)
  if (first === undefined || span === null) return
  walk.report(unmatchedKey(span, first.prefix, first.suffix, first.exact))
}

/** Returns the span of a variable's assignment, or of another value itself. Returns null if this template does not set the variable. */
function spanToReport(walk: Walk, call: FilterCall, source: Expression | null): Span | null {
  const input = source?.kind === 'filtered' && source.filters.length === 0 ? source.input : source
  if (input?.kind !== 'lookup' || input.name === null || input.path.length > 0) return source?.span ?? call.name.span
  return walk.flow.variables.get(input.name.name)?.span ?? null
}

function mayExist(site: Pick<Site, 'translations'>, { prefix, suffix, exact }: TextPattern): boolean {
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
