/** Translation files against each other: keys that one language lacks, and HTML that is not valid. */
import { htmlTranslation } from '../../diagnostics/codes/site/html-translation.ts'
import { unmatchedTranslation } from '../../diagnostics/codes/site/unmatched-translation.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { TranslationMap, TranslationNode } from '../../model/settings.ts'
import type { Site } from '../../model/site.ts'
import { htmlProblem } from './html.ts'

const FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])
const DEFAULT_LOCALE = 'en'

/** Keys that the language defines itself, in English: translations of them have nothing to be compared with. */
export const BUILT_IN = /^(?:errors|time|date|datetime|number|support)(?:\.|$)/

/** Whether a map holds the forms of one text for different numbers. */
export function isPlural(map: TranslationMap): boolean {
  if (map.entries.size === 0) return false
  for (const name of map.entries.keys()) if (!FORMS.has(name)) return false
  return true
}

/** The names in `%{name}` places of a text. */
export function placeholdersIn(text: string): readonly string[] {
  const names: string[] = []
  for (const match of text.matchAll(/%?%\{([^{}]*)\}/g)) if (!match[0].startsWith('%%')) names.push(match[1] ?? '')
  return names
}

export function checkTranslations(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const reference = site.translations.get(DEFAULT_LOCALE)
  for (const [locale, tree] of site.translations) {
    checkHtml(tree, '', diagnostics)
    if (reference === undefined || tree === reference) continue
    compare(reference, tree, DEFAULT_LOCALE, locale, '', diagnostics)
    compare(tree, reference, locale, DEFAULT_LOCALE, '', diagnostics)
  }
  return diagnostics
}

/** Reports what `from` has and `other` lacks; of a whole group only the group. */
function compare(
  from: TranslationMap,
  other: TranslationMap,
  locale: string,
  otherLocale: string,
  path: string,
  diagnostics: Diagnostic[],
): void {
  for (const [name, node] of from.entries) {
    // A module brings the languages that it has.
    if (path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))) continue
    const key = path === '' ? name : `${path}.${name}`
    const twin = other.entries.get(name)
    if (twin === undefined) diagnostics.push(unmatchedTranslation(node.keySpan, key, locale, otherLocale))
    else if (node.kind === 'map' && twin.kind === 'map' && !isPlural(node) && !isPlural(twin))
      compare(node, twin, locale, otherLocale, key, diagnostics)
  }
}

/** `path` ends with what joins it to the next key. */
function checkHtml(node: TranslationNode, path: string, diagnostics: Diagnostic[]): void {
  if (node.kind === 'map') {
    for (const [name, each] of node.entries) {
      const joint = each.kind === 'value' ? '' : path === '' && name.startsWith('modules/') ? '/' : '.'
      checkHtml(each, path + name + joint, diagnostics)
    }
    return
  }
  if (typeof node.value !== 'string' || !/_html(?:\.(?:zero|one|two|few|many|other))?$/.test(path)) return
  const problem = htmlProblem(node.value)
  if (problem !== null) diagnostics.push(htmlTranslation(node.span, path, problem))
}
