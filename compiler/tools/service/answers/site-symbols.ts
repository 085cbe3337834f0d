/** Symbol search over a whole site. */
import type { TranslationMap } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'

export interface SiteSymbol {
  readonly name: string
  readonly kind: 'page' | 'partial' | 'query' | 'table' | 'property' | 'form' | 'translation'
  /** The containing symbol or file. */
  readonly container: string
  readonly span: Span
}

const MAX_RESULTS = 400

/** Returns the names that contain the letters of a text in order, best matches first. */
export function searchSymbols(site: Site, text: string): readonly SiteSymbol[] {
  const letters = text.toLowerCase()
  const ranked: { readonly symbol: SiteSymbol; readonly rank: number }[] = []
  for (const symbol of symbolsOf(site)) {
    const rank = matchDistance(symbol.name.toLowerCase(), letters)
    if (rank >= 0) ranked.push({ symbol, rank })
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.symbol.name.length - b.symbol.name.length)
    .slice(0, MAX_RESULTS)
    .map(({ symbol }) => symbol)
}

/** Returns the match distance, smaller is better; -1 for no match. */
function matchDistance(name: string, letters: string): number {
  const at = name.indexOf(letters)
  if (at >= 0) return at === 0 ? 0 : 1
  let from = 0
  for (const letter of letters) {
    from = name.indexOf(letter, from) + 1
    if (from === 0) return -1
  }
  return 2
}

function* symbolsOf(site: Site): Generator<SiteSymbol> {
  const startOf = (file: string): Span => ({ file, start: 0, end: 0 })
  for (const { file, settings } of site.pages) {
    const { slug } = settings.route
    const name = `${settings.method.toUpperCase()} ${slug === '/' ? '/' : `/${slug}`}`
    yield { name, kind: 'page', container: file.path, span: startOf(file.path) }
  }
  for (const [name, { file }] of site.partials)
    yield { name, kind: 'partial', container: file.path, span: startOf(file.path) }
  for (const [name, { file }] of site.graphql)
    yield { name, kind: 'query', container: file.path, span: startOf(file.path) }
  for (const [name, { file, settings }] of site.forms)
    yield { name, kind: 'form', container: file.path, span: placeOf(settings.nameSpan, file.path) }
  for (const { file, settings } of site.units) {
    if (!('properties' in settings)) continue
    const { name, nameSpan, properties } = settings
    const table = file.kind === 'user_schema' ? 'user' : name
    yield { name: table, kind: 'table', container: file.path, span: placeOf(nameSpan, file.path) }
    for (const each of properties) yield { name: each.name, kind: 'property', container: table, span: each.span }
  }
  for (const [locale, tree] of site.translations) yield* keysOf(tree, '', locale)
}

function placeOf(span: Span | undefined, file: string): Span {
  return span === undefined || span.end === span.start ? { file, start: 0, end: 0 } : span
}

function* keysOf({ entries }: TranslationMap, above: string, locale: string): Generator<SiteSymbol> {
  for (const [name, node] of entries) {
    if (node.kind === 'value') yield { name: above + name, kind: 'translation', container: locale, span: node.keySpan }
    else yield* keysOf(node, `${above}${name}${name.startsWith('modules/') ? '/' : '.'}`, locale)
  }
}
