/** Call hierarchy: the callers and callees of a template. */
import {
  type CallHierarchyItem,
  type Connection,
  type Range,
  type ServerCapabilities,
  SymbolKind,
} from 'vscode-languageserver/node'
import type { Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import { findCallable, findCallees, findCallers } from '../answers/call-tree.ts'
import type { SiteAnalysis, Workspace } from '../workspace.ts'
import { placeAt, requireWanted } from './position-requests.ts'
import { uriOf } from './places.ts'
import type { Sites } from './sites.ts'

interface CalledFile {
  readonly workspace: Workspace
  readonly siteAnalysis: SiteAnalysis
  readonly unit: Unit
}

export function callHierarchy(connection: Connection, sites: Sites): ServerCapabilities {
  const fileAt = async (uri: string): Promise<CalledFile | null> => {
    const place = sites.at(uri)
    if (place === null) return null
    await place.workspace.settled()
    const { siteAnalysis } = place.workspace
    const unit = siteAnalysis?.analysis.site.byFile.get(place.path)
    return siteAnalysis === null || unit === undefined ? null : { workspace: place.workspace, siteAnalysis, unit }
  }
  const rangesOf = (workspace: Workspace, spans: readonly Span[]): Range[] =>
    spans.map((span) => sites.substitutedLinesOf(workspace, span.file).range(span))

  connection.languages.callHierarchy.onPrepare(async (params, token) => {
    const file = await fileAt(params.textDocument.uri)
    const place = placeAt(sites, params)
    requireWanted(token)
    if (place === null || file === null) return null
    const unit = findCallable(file.siteAnalysis, file.unit, place.offset)
    return unit === null ? null : [itemOf(file.workspace, unit)]
  })
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }, token) => {
    const file = await fileAt(item.uri)
    requireWanted(token)
    if (file === null) return null
    return findCallers(file.siteAnalysis.analysis.site, file.unit).map(({ unit, spans }) => ({
      from: itemOf(file.workspace, unit),
      fromRanges: rangesOf(file.workspace, spans),
    }))
  })
  connection.languages.callHierarchy.onOutgoingCalls(async ({ item }, token) => {
    const file = await fileAt(item.uri)
    requireWanted(token)
    if (file === null) return null
    return findCallees(file.siteAnalysis.analysis.site, file.unit).map(({ unit, spans }) => ({
      to: itemOf(file.workspace, unit),
      fromRanges: rangesOf(file.workspace, spans),
    }))
  })
  return { callHierarchyProvider: true }
}

/** Calls refer to a whole file, so the item's selection is its start. */
function itemOf({ root }: Workspace, { file }: Unit): CallHierarchyItem {
  const start = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  return {
    name: file.name,
    kind: file.kind === 'partial' ? SymbolKind.Function : SymbolKind.File,
    detail: file.path,
    uri: uriOf({ root, path: file.path }),
    range: start,
    selectionRange: start,
  }
}
