/** `unmatched-placeholder`: a placeholder that is spelled differently in another language. */
import { findLikelyTypo, findTypo } from '../../../../core/diagnostics/suggest.ts'
import type { TranslationNode } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import { ofTranslations, translationTexts, type TwinTexts, twins } from '../../site/translations.ts'
import { foreignPlace, placeholdersIn, placesOf, textsIn } from '../../walk/translations.ts'
import { timesWritten } from '../../walk/written-names.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unmatchedPlaceholder = message(
  'unmatched-placeholder',
  'warning',
  'MatchingTranslations',
  /** `locale`: the language with the other spelling under the same key; null if other texts have that spelling. */
  (key: string, name: string, suggestion: string, locale: string | null, text: Span) => ({
    subject: { kind: 'placeholder', name, of: key, meant: suggestion },
    text: `The translation ${quote(key)} has the placeholder ${quote(name)}, but ${locale === null ? 'other texts have' : `\`${locale}\` has`} ${quote(suggestion)}.`,
    hint: `Write ${quote(`%{${suggestion}}`)}.`,
    change: { edits: [{ part: `%{${name}}`, text: `%{${suggestion}}` }] },
    related: [{ span: text, message: 'the other text is here' }],
  }),
  {
    wrong: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: `hello: 'Hello %{name}'`, de: `hello: 'Hallo %{nmae}'` }),
    right: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: `hello: 'Hello %{name}'`, de: `hello: 'Hallo %{name}'` }),
  },
)

/** Reports placeholders that two languages spell differently, and those that are misspelled in all languages. */
export const checkPlaceholders = ofTranslations('placeholders', (site) => {
  const diagnostics = [...twins(site)].flatMap((each) => (each.kind === 'texts' ? [...comparePlaces(each, site)] : []))
  const reportedPlaces = new Set(diagnostics.map(placeKey))
  return [...diagnostics, ...findRarePlaces(site).filter((each) => !reportedPlaces.has(placeKey(each)))]
})

function placeKey({ span }: Diagnostic): string {
  return `${span.file}\0${span.start}`
}

/** Compares the placeholders of a key in two languages. */
function* comparePlaces({ one, other, key, from, to }: TwinTexts, site: Site): Generator<Diagnostic> {
  const places = placesOf(one)
  const others = placesOf(other)
  // The text in the other language has the placeholder in the syntax of another library.
  const isForeign = (node: TranslationNode, name: string) =>
    /^\w+$/.test(name) && textsIn(node).some(({ text }) => foreignPlace(text, name) !== null)
  const missingNames = [...places.keys()].filter((name) => !others.has(name) && !isForeign(other, name))
  for (const [name, own] of others) {
    if (places.has(name) || isForeign(one, name)) continue
    const meantName =
      findLikelyTypo(name, missingNames) ?? missingNames.find((each) => findLikelyTypo(each, [name]) !== null) ?? null
    const meant = meantName === null ? undefined : places.get(meantName)
    if (meantName === null || meant === undefined) continue
    // The spelling that the site uses more often, calls included, is the right one.
    const isOtherMisspelled = timesWritten(name, site) <= timesWritten(meantName, site)
    yield isOtherMisspelled
      ? unmatchedPlaceholder(own.span, key, name, meantName, from, meant.span)
      : unmatchedPlaceholder(meant.span, key, meantName, name, to, own.span)
  }
}

/** The number of placeholders from which a name counts as correct. */
const COMMON_COUNT = 3

/** Finds placeholders that are used only once and whose names resemble a common one. */
function findRarePlaces(site: Site): readonly Diagnostic[] {
  const usages = new Map<string, { readonly key: string; readonly span: Span; count: number }>()
  for (const [key, { value, span }] of translationTexts(site)) {
    for (const name of typeof value === 'string' ? placeholdersIn(value) : []) {
      const usage = usages.get(name)
      if (usage === undefined) usages.set(name, { key, span, count: 1 })
      else usage.count++
    }
  }
  const commonNames = [...usages].filter(([, { count }]) => count >= COMMON_COUNT).map(([name]) => name)
  return [...usages].flatMap(([name, { key, span, count }]) => {
    const meantName = count > 1 ? null : findTypo(name, commonNames)
    const other = meantName === null ? undefined : usages.get(meantName)
    if (meantName === null || other === undefined || `${meantName}s` === name || `${name}s` === meantName) return []
    return timesWritten(name, site) > 1 ? [] : [unmatchedPlaceholder(span, key, name, meantName, null, other.span)]
  })
}
