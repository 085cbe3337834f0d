/** The places for values in translations: those that are never closed, and those that one language spells otherwise than another. */
import { missingPlural } from '../../diagnostics/codes/site/missing-plural.ts'
import { unclosedPlaceholder } from '../../diagnostics/codes/site/unclosed-placeholder.ts'
import { unmatchedPlaceholder } from '../../diagnostics/codes/site/unmatched-placeholder.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { slipOf } from '../../diagnostics/suggest.ts'
import type { TranslationNode, TranslationTree } from '../../model/settings.ts'
import type { Site } from '../../model/site.ts'
import { isPlural, placeholdersIn } from './translations.ts'

type Text = Extract<TranslationNode, { readonly kind: 'value' }>

const OPEN = /(?<!%)%\{\w+(?=[^\w}]|$)/

/** Told of each text by itself. */
export function checkPlaces({ value, span }: Text, diagnostics: Diagnostic[]): void {
  const written = typeof value === 'string' && value.includes('%{') ? OPEN.exec(value)?.[0] : undefined
  if (written !== undefined) diagnostics.push(unclosedPlaceholder(span, written))
}

/** Two languages, and all of them. */
interface Locales {
  readonly from: string
  readonly to: string
  readonly all: TranslationTree
  readonly diagnostics: Diagnostic[]
}

/** Compares the places in what two languages have under a key. */
export function comparePlaces(one: TranslationNode, other: TranslationNode, key: string, locales: Locales): void {
  const { from, to, diagnostics } = locales
  if (one.kind === 'map' && other.kind === 'map' && one.entries.has('other') && !other.entries.has('other'))
    diagnostics.push(missingPlural(other.keySpan, key, ['other']))
  const places = placesOf(one)
  const others = placesOf(other)
  const foreign = [...others.keys()].filter((name) => !places.has(name))
  const lacking = [...places.keys()].filter((name) => !others.has(name))
  for (const name of foreign) {
    const meant = slipOf(name, lacking)
    const text = meant === null ? undefined : places.get(meant)
    const own = others.get(name)
    if (meant === null || text === undefined || own === undefined) continue
    // The name that more of the texts have is the right one.
    const isOther = timesOf(name, locales.all) <= timesOf(meant, locales.all)
    diagnostics.push(
      isOther
        ? unmatchedPlaceholder(own.span, key, name, meant, from, text.span)
        : unmatchedPlaceholder(text.span, key, meant, name, to, own.span),
    )
  }
}

/** The texts by the names of their places: one text, or the forms of one. */
function placesOf(node: TranslationNode): ReadonlyMap<string, Text> {
  const places = new Map<string, Text>()
  const texts = node.kind === 'value' ? [node] : isPlural(node) ? [...node.entries.values()] : []
  for (const text of texts)
    if (text.kind === 'value' && typeof text.value === 'string' && text.value.includes('%{'))
      for (const name of placeholdersIn(text.value)) places.set(name, text)
  return places
}

function timesOf(name: string, node: TranslationTree | TranslationNode): number {
  if ('kind' in node && node.kind === 'value')
    return typeof node.value === 'string' && node.value.includes(`%{${name}}`) ? 1 : 0
  let times = 0
  for (const each of ('kind' in node ? node.entries : node).values()) times += timesOf(name, each)
  return times
}

/** How often a name is in places of other texts that is the right one for certain. */
const USUAL = 3

/** A place whose name is in one text only, nowhere else in the site, and spelled nearly like one of many texts. */
export function checkRarePlaces({ translations, byFile }: Site): readonly Diagnostic[] {
  const times = new Map<string, { text: Text; key: string; count: number }>()
  for (const tree of translations.values()) countPlaces(tree, '', times)
  const usual = [...times].filter(([, { count }]) => count >= USUAL).map(([name]) => name)
  return [...times].flatMap(([name, { text, key, count }]) => {
    const meant = count > 1 ? null : slipOf(name, usual)
    const other = meant === null ? undefined : times.get(meant)
    if (meant === null || other === undefined || `${meant}s` === name || `${name}s` === meant) return []
    const word = new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g')
    let written = 0
    for (const { file } of byFile.values()) if (file.text.includes(name)) written += file.text.match(word)?.length ?? 0
    return written > 1 ? [] : [unmatchedPlaceholder(text.span, key, name, meant, null, other.text.span)]
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
