/** `unmatched-translation`: a key that one language has and another lacks. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { FORMS, isPlural } from '../../walk/translations.ts'
import type { TranslationMap, TranslationNode } from '../../../../core/model/settings.ts'
import { distance, findLikelyTypo } from '../../../../core/diagnostics/suggest.ts'
import { isModuleKey, ofTranslations, twins } from '../../site/translations.ts'
import { timesWritten } from '../../walk/written-names.ts'

export const unmatchedTranslation = message(
  'unmatched-translation',
  'warning',
  'MatchingTranslations',
  /** `twin`: a similar key that only the other language has. */
  (key: string, present: string, missing: string, twin: { readonly key: string; readonly span: Span } | null = null) =>
    twin === null
      ? {
          subject: { kind: 'translation', name: key, of: present, names: [missing] },
          text: `${quote(key)} exists in \`${present}\` but not in \`${missing}\`.`,
        }
      : {
          subject: { kind: 'translation', name: key, of: present, names: [missing], meant: twin.key },
          text: `${quote(key)} exists in \`${present}\` but not in \`${missing}\`, which has ${quote(twin.key)}.`,
          hint: 'Use the same key in both languages.',
          related: [{ span: twin.span, message: 'the similar key is here' }],
        },
  {
    wrong: textSite(`{{ 'a' | t }}`, { en: 'a: A', pl: 'a: A\n  b: B' }),
    right: textSite(`{{ 'a' | t }}`, { en: 'a: A', pl: 'a: A' }),
  },
)

/**
 * Reports keys that only one of two languages has. A missing group, and a key with two spellings, is reported only once. Of the keys of
 * modules, only misspelled ones are reported.
 */
export const checkTranslationKeys = ofTranslations('keys', (site) =>
  [...twins(site)].flatMap((each) => {
    if (each.kind !== 'groups') return []
    const { key: path, from, to, one, other, isOfModule } = each
    const joinPath = (name: string) => (path === '' ? name : `${path}.${name}`)
    const diagnostics: Diagnostic[] = []
    const missing = findMissing(other, one, path)
    const extra = findMissing(one, other, path)
    for (const [name, { keySpan }] of missing) {
      const meantName = [...extra.keys()].find((each) => isSpelledLike(name, each)) ?? null
      const twin = meantName === null ? undefined : extra.get(meantName)
      if (meantName === null || twin === undefined) {
        if (!isOfModule) diagnostics.push(unmatchedTranslation(keySpan, joinPath(name), from, to))
        continue
      }
      extra.delete(meantName)
      // The spelling that the site uses more often is the right one.
      const isTwinMisspelled = timesWritten(meantName, site) < timesWritten(name, site)
      diagnostics.push(
        isTwinMisspelled
          ? unmatchedTranslation(twin.keySpan, joinPath(meantName), to, from, { key: joinPath(name), span: keySpan })
          : unmatchedTranslation(keySpan, joinPath(name), from, to, { key: joinPath(meantName), span: twin.keySpan }),
      )
    }
    if (!isOfModule)
      for (const [name, { keySpan }] of extra) diagnostics.push(unmatchedTranslation(keySpan, joinPath(name), to, from))
    return diagnostics
  }),
)

/** Returns whether one key is a misspelling of the other. Keys of three letters may differ in one letter. */
function isSpelledLike(name: string, other: string): boolean {
  if (findLikelyTypo(name, [other]) !== null || findLikelyTypo(other, [name]) !== null) return true
  return name.length === 3 && other.length === 3 && distance(name, other, 1) <= 1
}

/** Returns the entries of `of` that `map` lacks, except plural forms, which differ by language. */
function findMissing(map: TranslationMap, of: TranslationMap, path: string): Map<string, TranslationNode> {
  const isNumber = isPlural(map) || isPlural(of)
  return new Map(
    [...of.entries].filter(
      ([name]) => !map.entries.has(name) && !isModuleKey(name, path) && !(isNumber && FORMS.has(name)),
    ),
  )
}
