/** `unused-translation`: a translation that no template uses. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { BUILT_IN, FALLBACK_LOCALE, isPlural } from '../../walk/translations.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { TranslationMap } from '../../../../core/model/settings.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import { cacheByVersion, tagTexts, wordsIn } from '../../site/written-texts.ts'
import { hasUnreadableTemplate } from '../../site/reach.ts'
import { wordCounter } from '../../../../core/model/word-counter.ts'

export const unusedTranslation = message(
  'unused-translation',
  'info',
  'UnusedTranslation',
  (key: string) => ({
    subject: { kind: 'translation', name: key },
    text: `No template uses the translation ${quote(key)}.`,
    hint: 'Remove the key in all languages, unless its key comes from stored data.',
  }),
  { wrong: 'x', right: "{{ 'title' | t }}", both: { 'app/translations/en.yml': 'en:\n  title: Title\n' } },
)

/** Counts quoted texts that may be keys of translations, in templates, settings and queries. */
const possibleKeys = wordCounter(({ file }: Unit) =>
  file.kind === 'asset' || file.kind === 'translation' ? [] : wordsIn(file).quoted,
)

const keyAffixes = cacheByVersion((counts) => ({
  begins: [...counts.keys()].filter((text) => /^[\w-][\w.-]*\.$/.test(text)),
  ends: [...counts.keys()].filter((text) => /^\.[\w.-]*\w$/.test(text)),
}))

/** Reports the keys of the default language that no text names, neither whole nor by a part of a computed key. */
export function checkUnusedTranslations({ site, siteTemplates }: CheckedSite): readonly Diagnostic[] {
  // A template that could not be parsed may name any translation.
  if (hasUnreadableTemplate(site)) return []
  const tree = site.translations.get(FALLBACK_LOCALE)
  if (tree === undefined) return []
  // Texts in settings and queries may be keys as well.
  const wordCounts = [tagTexts(site.structureVersion, siteTemplates), possibleKeys(site.structureVersion, site.units)]
  const prefixes = wordCounts.flatMap((each) => keyAffixes(each).begins)
  const suffixes = wordCounts.flatMap((each) => keyAffixes(each).ends)
  const isUsed = (key: string) =>
    wordCounts.some(({ counts }) => counts.has(key)) ||
    prefixes.some((text) => key.startsWith(text)) ||
    suffixes.some((text) => key.endsWith(text))
  const diagnostics: Diagnostic[] = []
  const visit = (map: TranslationMap, path: string): void => {
    for (const [name, node] of map.entries) {
      if (path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))) continue
      const key = path === '' ? name : `${path}.${name}`
      // A group that is named as a whole counts as used.
      const isGroup = node.kind === 'map' && !isPlural(node)
      if (isGroup ? key.includes('.') && isUsed(key) : isUsed(key)) continue
      if (isGroup) visit(node, key)
      else if (!/(?:^|\/)modules\//.test(node.keySpan.file)) diagnostics.push(unusedTranslation(node.keySpan, key))
    }
  }
  visit(tree, '')
  return diagnostics
}
