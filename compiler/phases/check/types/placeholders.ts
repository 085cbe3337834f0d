/** Checks placeholders in translations: unclosed ones, and ones that two languages spell differently. */
import { missingPlural } from '../rules/site/missing-plural.ts'
import { unclosedPlaceholder } from '../rules/site/unclosed-placeholder.ts'
import { unusedTranslationArgument } from '../rules/site/unused-translation-argument.ts'
import { unmatchedPlaceholder } from '../rules/site/unmatched-placeholder.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findLikelyTypo, findTypo } from '../../../core/diagnostics/suggest.ts'
import type { TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { isPlural, placeholdersIn } from '../walk/translations.ts'
import { timesWritten } from '../walk/written-names.ts'

type Text = Extract<TranslationNode, { readonly kind: 'value' }>

/** Matches a placeholder without its closing brace. */
const UNCLOSED_PLACEHOLDER = /(?<!%)%\{\w+(?=[^\w}]|$)/

/** Reports an unclosed placeholder of a text. */
export function checkPlaces({ value, span }: Text, diagnostics: Diagnostic[]): void {
  const writtenText =
    typeof value === 'string' && value.includes('%{') ? UNCLOSED_PLACEHOLDER.exec(value)?.[0] : undefined
  if (writtenText !== undefined) diagnostics.push(unclosedPlaceholder(span, writtenText))
}

/**
 * Finds a placeholder in the syntax of another library: `{{name}}`, `{name}`, `%{ name }`, `%(name)`, `:name`, `${name}`. Returns
 * its text; null if there is none.
 */
export function foreignPlace(text: string, name: string): string | null {
  const plainText = name.replace(/[^\w]/g, '')
  const forms = `[$%]?\\{\\{?\\s*${plainText}\\s*\\}?\\}|%\\(${plainText}\\)s?|(?<!\\w):${plainText}\\b`
  return new RegExp(forms).exec(text)?.[0] ?? null
}

/** Two languages that are compared. */
interface Locales {
  readonly from: string
  readonly to: string
  readonly site: Site
  readonly diagnostics: Diagnostic[]
}

/** Compares the placeholders of a key in two languages. */
export function comparePlaces(one: TranslationNode, other: TranslationNode, key: string, locales: Locales): void {
  const { from, to, site, diagnostics } = locales
  if (one.kind === 'map' && other.kind === 'map' && one.entries.has('other') && !other.entries.has('other'))
    diagnostics.push(missingPlural(other.keySpan, key, ['other']))
  const places = placesOf(one)
  const others = placesOf(other)
  const foreignNames = new Set<string>()
  const reportForeignPlaces = (node: TranslationNode, all: ReadonlyMap<string, Text>) => {
    for (const [name, text] of all)
      if (/^\w+$/.test(name) && reportForeign(node, key, name, text.span, diagnostics)) foreignNames.add(name)
  }
  reportForeignPlaces(other, places)
  reportForeignPlaces(one, others)
  const missingNames = [...places.keys()].filter((name) => !others.has(name) && !foreignNames.has(name))
  for (const name of others.keys()) {
    if (places.has(name) || foreignNames.has(name)) continue
    const meantName =
      findLikelyTypo(name, missingNames) ?? missingNames.find((each) => findLikelyTypo(each, [name]) !== null) ?? null
    const text = meantName === null ? undefined : places.get(meantName)
    const own = others.get(name)
    if (meantName === null || text === undefined || own === undefined) continue
    // The spelling that the site uses more often, calls included, is the right one.
    const isOtherMisspelled = timesWritten(name, site) <= timesWritten(meantName, site)
    diagnostics.push(
      isOtherMisspelled
        ? unmatchedPlaceholder(own.span, key, name, meantName, from, text.span)
        : unmatchedPlaceholder(text.span, key, meantName, name, to, own.span),
    )
  }
}

/**
 * Reports a text that contains a placeholder of the other language, but in the syntax of another library. Returns whether it reported one.
 */
function reportForeign(
  node: TranslationNode,
  key: string,
  name: string,
  otherSpan: Span,
  diagnostics: Diagnostic[],
): boolean {
  for (const { value, span } of textsIn(node)) {
    const isPlaced = typeof value !== 'string' || placeholdersIn(value).includes(name)
    const writtenText = isPlaced ? null : foreignPlace(value, name)
    if (writtenText === null) continue
    const diagnostic = unusedTranslationArgument(span, key, name, span, writtenText)
    diagnostics.push({
      ...diagnostic,
      related: [{ span: otherSpan, message: 'the text in the other language is here' }],
    })
    return true
  }
  return false
}

/** Returns the text of a translation, or its plural forms. */
function textsIn(node: TranslationNode): readonly Text[] {
  const nodes = node.kind === 'value' ? [node] : isPlural(node) ? [...node.entries.values()] : []
  return nodes.filter((each) => each.kind === 'value')
}

/** Returns the texts of a translation by the names of their placeholders. */
function placesOf(node: TranslationNode): ReadonlyMap<string, Text> {
  const places = new Map<string, Text>()
  for (const text of textsIn(node))
    if (typeof text.value === 'string' && text.value.includes('%{'))
      for (const name of placeholdersIn(text.value)) places.set(name, text)
  return places
}

/** The number of placeholders from which a name counts as correct. */
const COMMON_COUNT = 3

/** Reports a placeholder that is used only once and whose name resembles a common placeholder. */
export function checkRarePlaces(site: Site): readonly Diagnostic[] {
  const usages = new Map<string, { text: Text; key: string; count: number }>()
  for (const tree of site.translations.values()) countPlaces(tree, '', usages)
  const commonNames = [...usages].filter(([, { count }]) => count >= COMMON_COUNT).map(([name]) => name)
  return [...usages].flatMap(([name, { text, key, count }]) => {
    const meantName = count > 1 ? null : findTypo(name, commonNames)
    const other = meantName === null ? undefined : usages.get(meantName)
    if (meantName === null || other === undefined || `${meantName}s` === name || `${name}s` === meantName) return []
    return timesWritten(name, site) > 1
      ? []
      : [unmatchedPlaceholder(text.span, key, name, meantName, null, other.text.span)]
  })
}

function countPlaces(
  node: TranslationNode,
  path: string,
  usages: Map<string, { text: Text; key: string; count: number }>,
): void {
  if (node.kind === 'map') {
    for (const [name, each] of node.entries)
      countPlaces(each, path === '' ? name : `${path}${/^modules\/[^/.]+$/.test(path) ? '/' : '.'}${name}`, usages)
    return
  }
  if (typeof node.value !== 'string' || !node.value.includes('%{')) return
  for (const name of placeholdersIn(node.value)) {
    const usage = usages.get(name)
    if (usage === undefined) usages.set(name, { text: node, key: path, count: 1 })
    else usage.count++
  }
}
