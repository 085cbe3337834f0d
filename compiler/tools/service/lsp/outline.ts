/** Document symbols, workspace symbols and folding ranges. */
import {
  type Connection,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type ServerCapabilities,
  SymbolKind,
} from 'vscode-languageserver/node'
import { type Fold, findFolds } from '../answers/folding.ts'
import { type OutlineItem, type OutlineKind, buildOutline } from '../answers/outline.ts'
import { type SiteSymbol, searchSymbols } from '../answers/site-symbols.ts'
import { foldHtml } from './html.ts'
import { locationsOf } from './names.ts'
import type { Lines } from './places.ts'
import type { Sites } from './sites.ts'
import { requireWanted } from './position-requests.ts'

const KINDS: Readonly<Record<OutlineKind | SiteSymbol['kind'], SymbolKind>> = {
  parameter: SymbolKind.TypeParameter,
  variable: SymbolKind.Variable,
  partial: SymbolKind.File,
  query: SymbolKind.Module,
  operation: SymbolKind.Function,
  field: SymbolKind.Field,
  key: SymbolKind.Key,
  page: SymbolKind.Interface,
  table: SymbolKind.Class,
  property: SymbolKind.Property,
  form: SymbolKind.Struct,
  translation: SymbolKind.String,
}

export function documentSymbols(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onDocumentSymbol(async ({ textDocument }, token) => {
    const place = sites.at(textDocument.uri)
    if (place === null) return null
    if (place.workspace.siteAnalysis === null) await place.workspace.settled()
    requireWanted(token)
    const lines = sites.linesOf(place.workspace, place.path)
    return buildOutline(place.workspace, place.path).map((item) => symbolOf(item, lines))
  })
  return { documentSymbolProvider: true }
}

function symbolOf(item: OutlineItem, lines: Lines): DocumentSymbol {
  const { name, kind, detail, start, end, nameStart, nameEnd, children: below } = item
  return {
    // The protocol does not allow blank names.
    name: name.trim() === '' ? '-' : name,
    kind: KINDS[kind],
    ...(detail !== '' && { detail }),
    range: lines.range({ start, end: Math.max(end, nameEnd) }),
    selectionRange: lines.range({ start: nameStart, end: nameEnd }),
    ...(below.length > 0 && { children: below.map((each) => symbolOf(each, lines)) }),
  }
}

export function workspaceSymbols(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onWorkspaceSymbol(async ({ query }, token) => {
    const found = []
    for (const workspace of sites.all()) {
      await workspace.settled()
      requireWanted(token)
      const { siteAnalysis } = workspace
      if (siteAnalysis === null) continue
      const symbols = searchSymbols(siteAnalysis.analysis.site, query)
      const locations = locationsOf(
        sites,
        workspace,
        symbols.map(({ span }) => span),
      )
      for (const [at, { name, kind, container }] of symbols.entries()) {
        const location = locations[at]
        if (location !== undefined) found.push({ name, kind: KINDS[kind], containerName: container, location })
      }
    }
    return found
  })
  return { workspaceSymbolProvider: true }
}

export function folding(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onFoldingRanges(async ({ textDocument }, token) => {
    const place = sites.at(textDocument.uri)
    if (place === null) return null
    if (place.workspace.disk === null) await place.workspace.settled()
    requireWanted(token)
    const lines = sites.linesOf(place.workspace, place.path)
    const folds = findFolds(place.workspace, place.path).flatMap((fold) => foldOf(fold, lines))
    return [...folds, ...foldHtml({ ...place, lines })]
  })
  return { foldingRangeProvider: true }
}

function foldOf({ start, end, kind }: Fold, lines: Lines): readonly FoldingRange[] {
  const startLine = lines.position(start).line
  const endLine = lines.position(end).line - (kind === 'lines' ? 0 : 1)
  if (endLine <= startLine) return []
  return [{ startLine, endLine, ...(kind === 'comment' && { kind: FoldingRangeKind.Comment }) }]
}
