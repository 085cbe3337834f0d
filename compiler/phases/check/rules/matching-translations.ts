/** Translation files against each other: keys that one language lacks, HTML that is not valid, and places for values. */
import { htmlTranslation } from '../../../core/diagnostics/codes/site/html-translation.ts'
import { unmatchedTranslation } from '../../../core/diagnostics/codes/site/unmatched-translation.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { distance, findLikelyTypo } from '../../../core/diagnostics/suggest.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { htmlProblem } from './html.ts'
import { checkPlaces, checkRarePlaces, comparePlaces } from './placeholders.ts'
import { timesWritten } from './written-names.ts'
import { BUILT_IN, FORMS, isPlural } from './translations.ts'

const DEFAULT_LOCALE = 'en'

export function checkTranslations(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const reference = site.translations.get(DEFAULT_LOCALE)
  for (const [locale, tree] of site.translations) {
    checkTexts(tree, '', diagnostics)
    if (reference === undefined || tree === reference) continue
    compare(reference, tree, '', { from: DEFAULT_LOCALE, to: locale, site, diagnostics })
  }
  const told = new Set(diagnostics.map(placeOf))
  return [...diagnostics, ...checkRarePlaces(site).filter((each) => !told.has(placeOf(each)))]
}

function placeOf({ code, span }: Diagnostic): string {
  return `${code}\0${span.file}\0${span.start}`
}

/** Two languages that are compared. */
interface Languages {
  readonly from: string
  readonly to: string
  readonly site: Site
  readonly diagnostics: Diagnostic[]
  /** Each brings what it has: only a name that one of them spells otherwise is told. */
  readonly isOwn?: true
}

/** Reports what one of two languages lacks; of a whole group only the group, and of a key that the other one spells differently both at once. */
function compare(one: TranslationMap, other: TranslationMap, path: string, languages: Languages): void {
  const { from, to, site, diagnostics, isOwn } = languages
  const below = (name: string) => (path === '' ? name : `${path}.${name}`)
  const missing = lackedBy(other, one, path)
  const more = lackedBy(one, other, path)
  for (const [name, { keySpan }] of missing) {
    const meant = [...more.keys()].find((each) => isSpelledLike(name, each)) ?? null
    const twin = meant === null ? undefined : more.get(meant)
    if (meant === null || twin === undefined) {
      if (isOwn !== true) diagnostics.push(unmatchedTranslation(keySpan, below(name), from, to))
      continue
    }
    more.delete(meant)
    // The name that is written more often in the site is the right one.
    const isOther = timesWritten(meant, site) < timesWritten(name, site)
    diagnostics.push(
      isOther
        ? unmatchedTranslation(twin.keySpan, below(meant), to, from, { key: below(name), span: keySpan })
        : unmatchedTranslation(keySpan, below(name), from, to, { key: below(meant), span: twin.keySpan }),
    )
  }
  if (isOwn !== true)
    for (const [name, { keySpan }] of more) diagnostics.push(unmatchedTranslation(keySpan, below(name), to, from))
  for (const [name, node] of one.entries) {
    const twin = other.entries.get(name)
    if (twin === undefined) continue
    if (isOwnOfModule(name, path)) {
      if (node.kind === 'map' && twin.kind === 'map') compare(node, twin, below(name), { ...languages, isOwn: true })
    } else if (node.kind === 'map' && twin.kind === 'map' && !(isPlural(node) && isPlural(twin)))
      compare(node, twin, below(name), languages)
    else comparePlaces(node, twin, below(name), languages)
  }
}

/** Whether one is a slip of the other. A key of few letters has few others beside it. */
function isSpelledLike(name: string, other: string): boolean {
  if (findLikelyTypo(name, [other]) !== null || findLikelyTypo(other, [name]) !== null) return true
  return name.length === 3 && other.length === 3 && distance(name, other, 1) <= 1
}

/** Keys of a map that another one lacks. Each language has its own forms of a number. */
function lackedBy(map: TranslationMap, of: TranslationMap, path: string): Map<string, TranslationNode> {
  const isNumber = isPlural(map) || isPlural(of)
  return new Map(
    [...of.entries].filter(
      ([name]) => !map.entries.has(name) && !isOwnOfModule(name, path) && !(isNumber && FORMS.has(name)),
    ),
  )
}

/** A module brings the languages that it has. */
function isOwnOfModule(name: string, path: string): boolean {
  return path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))
}

/** `path` ends with what joins it to the next key. */
function checkTexts(node: TranslationNode, path: string, diagnostics: Diagnostic[]): void {
  if (node.kind === 'map') {
    for (const [name, each] of node.entries) {
      const joint = each.kind === 'value' ? '' : path === '' && name.startsWith('modules/') ? '/' : '.'
      checkTexts(each, path + name + joint, diagnostics)
    }
    return
  }
  checkPlaces(node, diagnostics)
  if (typeof node.value !== 'string' || !/_html(?:\.(?:zero|one|two|few|many|other))?$/.test(path)) return
  const problem = htmlProblem(node.value)
  if (problem !== null) diagnostics.push(htmlTranslation(node.span, path, problem))
}
