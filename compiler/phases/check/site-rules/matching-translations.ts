/** Compares translation files: reports keys that one language lacks, and invalid HTML. */
import { htmlTranslation } from '../rules/site/html-translation.ts'
import { unmatchedTranslation } from '../rules/site/unmatched-translation.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../site/site-rule.ts'
import { distance, findLikelyTypo } from '../../../core/diagnostics/suggest.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { htmlProblem } from '../walk/html.ts'
import { isModuleKey } from '../site/translations.ts'
import { timesWritten } from '../walk/written-names.ts'
import { FORMS, isPlural } from '../walk/translations.ts'

const DEFAULT_LOCALE = 'en'

/** Checks all translations of a site, and compares each language with the default one. */
export function checkTranslations({ site, memo }: CheckedSite): readonly Diagnostic[] {
  const translations = site.units.filter((unit) => unit.file.kind === 'translation')
  return memo.once('check translations', '', translations, () => compareTranslations(site))
}

function compareTranslations(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const reference = site.translations.get(DEFAULT_LOCALE)
  for (const [locale, tree] of site.translations) {
    checkTexts(tree, '', diagnostics)
    if (reference === undefined || tree === reference) continue
    compareMaps(reference, tree, '', { from: DEFAULT_LOCALE, to: locale, site, diagnostics })
  }
  return diagnostics
}

/** Two languages that are compared. */
interface Languages {
  readonly from: string
  readonly to: string
  readonly site: Site
  readonly diagnostics: Diagnostic[]
  /** Whether only misspelled keys are reported, because a language may have additional keys. */
  readonly isSpellingOnly?: true
}

/** Reports keys that only one of two languages has. A missing group, and a key with two spellings, is reported only once. */
function compareMaps(one: TranslationMap, other: TranslationMap, path: string, languages: Languages): void {
  const { from, to, site, diagnostics, isSpellingOnly } = languages
  const joinPath = (name: string) => (path === '' ? name : `${path}.${name}`)
  const missing = findMissing(other, one, path)
  const extra = findMissing(one, other, path)
  for (const [name, { keySpan }] of missing) {
    const meantName = [...extra.keys()].find((each) => isSpelledLike(name, each)) ?? null
    const twin = meantName === null ? undefined : extra.get(meantName)
    if (meantName === null || twin === undefined) {
      if (isSpellingOnly !== true) diagnostics.push(unmatchedTranslation(keySpan, joinPath(name), from, to))
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
  if (isSpellingOnly !== true)
    for (const [name, { keySpan }] of extra) diagnostics.push(unmatchedTranslation(keySpan, joinPath(name), to, from))
  for (const [name, node] of one.entries) {
    const twin = other.entries.get(name)
    if (twin === undefined) continue
    if (isModuleKey(name, path)) {
      if (node.kind === 'map' && twin.kind === 'map')
        compareMaps(node, twin, joinPath(name), { ...languages, isSpellingOnly: true })
    } else if (node.kind === 'map' && twin.kind === 'map' && !(isPlural(node) && isPlural(twin)))
      compareMaps(node, twin, joinPath(name), languages)
  }
}

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

/** Checks every text of a translation tree. `path` ends with the separator before the next key. */
function checkTexts(node: TranslationNode, path: string, diagnostics: Diagnostic[]): void {
  if (node.kind === 'map') {
    for (const [name, each] of node.entries) {
      const separator = each.kind === 'value' ? '' : path === '' && name.startsWith('modules/') ? '/' : '.'
      checkTexts(each, path + name + separator, diagnostics)
    }
    return
  }
  if (typeof node.value !== 'string' || !/_html(?:\.(?:zero|one|two|few|many|other))?$/.test(path)) return
  const problem = htmlProblem(node.value)
  if (problem !== null) diagnostics.push(htmlTranslation(node.span, path, problem))
}
