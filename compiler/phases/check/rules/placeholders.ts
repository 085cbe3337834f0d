/** The places for values in translations: those that are never closed, and those that one language spells otherwise than another. */
import { missingPlural } from '../../../core/diagnostics/codes/site/missing-plural.ts'
import { unclosedPlaceholder } from '../../../core/diagnostics/codes/site/unclosed-placeholder.ts'
import { unusedTranslationArgument } from '../../../core/diagnostics/codes/site/unused-translation-argument.ts'
import { unmatchedPlaceholder } from '../../../core/diagnostics/codes/site/unmatched-placeholder.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findLikelyTypo, findTypo } from '../../../core/diagnostics/suggest.ts'
import type { TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { isPlural, placeholdersIn } from './translations.ts'
import { timesWritten } from './written-names.ts'

type Text = Extract<TranslationNode, { readonly kind: 'value' }>

const OPEN = /(?<!%)%\{\w+(?=[^\w}]|$)/

/** Told of each text by itself. */
export function checkPlaces({ value, span }: Text, diagnostics: Diagnostic[]): void {
  const written = typeof value === 'string' && value.includes('%{') ? OPEN.exec(value)?.[0] : undefined
  if (written !== undefined) diagnostics.push(unclosedPlaceholder(span, written))
}

/** A place for the name as other libraries write it: `{{name}}`, `{name}`, `%{ name }`, `%(name)`, `:name`, `${name}`. */
export function foreignPlace(text: string, name: string): string | null {
  const plain = name.replace(/[^\w]/g, '')
  const forms = `[$%]?\\{\\{?\\s*${plain}\\s*\\}?\\}|%\\(${plain}\\)s?|(?<!\\w):${plain}\\b`
  return new RegExp(forms).exec(text)?.[0] ?? null
}

/** Two languages of a site. */
interface Locales {
  readonly from: string
  readonly to: string
  readonly site: Site
  readonly diagnostics: Diagnostic[]
}

/** Compares the places in what two languages have under a key. */
export function comparePlaces(one: TranslationNode, other: TranslationNode, key: string, locales: Locales): void {
  const { from, to, site, diagnostics } = locales
  if (one.kind === 'map' && other.kind === 'map' && one.entries.has('other') && !other.entries.has('other'))
    diagnostics.push(missingPlural(other.keySpan, key, ['other']))
  const places = placesOf(one)
  const others = placesOf(other)
  const written = new Set<string>()
  const lookFor = (node: TranslationNode, all: ReadonlyMap<string, Text>) => {
    for (const [name, text] of all)
      if (/^\w+$/.test(name) && reportForeign(node, key, name, text.span, diagnostics)) written.add(name)
  }
  lookFor(other, places)
  lookFor(one, others)
  const lacking = [...places.keys()].filter((name) => !others.has(name) && !written.has(name))
  for (const name of others.keys()) {
    if (places.has(name) || written.has(name)) continue
    const meant = findLikelyTypo(name, lacking) ?? lacking.find((each) => findLikelyTypo(each, [name]) !== null) ?? null
    const text = meant === null ? undefined : places.get(meant)
    const own = others.get(name)
    if (meant === null || text === undefined || own === undefined) continue
    // The name that is written more often in the site, by the calls too, is the right one.
    const isOther = timesWritten(name, site) <= timesWritten(meant, site)
    diagnostics.push(
      isOther
        ? unmatchedPlaceholder(own.span, key, name, meant, from, text.span)
        : unmatchedPlaceholder(text.span, key, meant, name, to, own.span),
    )
  }
}

/** Tells of the text of one language that has the place of another one in a foreign way. */
function reportForeign(
  node: TranslationNode,
  key: string,
  name: string,
  other: Span,
  diagnostics: Diagnostic[],
): boolean {
  for (const { value, span } of textsIn(node)) {
    const isPlaced = typeof value !== 'string' || placeholdersIn(value).includes(name)
    const written = isPlaced ? null : foreignPlace(value, name)
    if (written === null) continue
    const told = unusedTranslationArgument(span, key, name, span, written)
    diagnostics.push({ ...told, related: [{ span: other, message: 'the other text stands here' }] })
    return true
  }
  return false
}

/** One text, or the forms of one. */
function textsIn(node: TranslationNode): readonly Text[] {
  const nodes = node.kind === 'value' ? [node] : isPlural(node) ? [...node.entries.values()] : []
  return nodes.filter((each) => each.kind === 'value')
}

/** The texts by the names of their places: one text, or the forms of one. */
function placesOf(node: TranslationNode): ReadonlyMap<string, Text> {
  const places = new Map<string, Text>()
  for (const text of textsIn(node))
    if (typeof text.value === 'string' && text.value.includes('%{'))
      for (const name of placeholdersIn(text.value)) places.set(name, text)
  return places
}

/** How often a name is in places of other texts that is the right one for certain. */
const USUAL = 3

/** A place whose name is in one text only, nowhere else in the site, and spelled nearly like one of many texts. */
export function checkRarePlaces(site: Site): readonly Diagnostic[] {
  const times = new Map<string, { text: Text; key: string; count: number }>()
  for (const tree of site.translations.values()) countPlaces(tree, '', times)
  const usual = [...times].filter(([, { count }]) => count >= USUAL).map(([name]) => name)
  return [...times].flatMap(([name, { text, key, count }]) => {
    const meant = count > 1 ? null : findTypo(name, usual)
    const other = meant === null ? undefined : times.get(meant)
    if (meant === null || other === undefined || `${meant}s` === name || `${name}s` === meant) return []
    return timesWritten(name, site) > 1
      ? []
      : [unmatchedPlaceholder(text.span, key, name, meant, null, other.text.span)]
  })
}

function countPlaces(
  node: TranslationNode,
  path: string,
  times: Map<string, { text: Text; key: string; count: number }>,
): void {
  if (node.kind === 'map') {
    for (const [name, each] of node.entries)
      countPlaces(each, path === '' ? name : `${path}${/^modules\/[^/.]+$/.test(path) ? '/' : '.'}${name}`, times)
    return
  }
  if (typeof node.value !== 'string' || !node.value.includes('%{')) return
  for (const name of placeholdersIn(node.value)) {
    const known = times.get(name)
    if (known === undefined) times.set(name, { text: node, key: path, count: 1 })
    else known.count++
  }
}
