/** Call hierarchy: the callers and callees of a template. */
import {
  type CallHierarchyItem,
  type CancellationToken,
  type Connection,
  type Range,
  type ServerCapabilities,
  SymbolKind,
} from 'vscode-languageserver/node'
import type { Unit } from '../../../core/model/unit.ts'
import { findCallable, findCallees, findCallers } from '../answers/call-tree.ts'
import type { Workspace } from '../workspace.ts'
import { type AnalysedFile, analysedFile, placeAt, requireWanted } from './position-requests.ts'
import { uriOf } from './places.ts'
import type { Sites } from './sites.ts'

export function callHierarchy(connection: Connection, sites: Sites): ServerCapabilities {
  const fileAt = async (uri: string): Promise<AnalysedFile | null> => {
    const place = sites.at(uri)
    await place?.workspace.settled()
    return place === null ? null : analysedFile(place)
  }
  /** Returns the other templates of a file's calls, each with the ranges of the calls. */
  const callsOf = async (
    { uri }: CallHierarchyItem,
    token: CancellationToken,
    find: typeof findCallers,
  ): Promise<readonly { readonly other: CallHierarchyItem; readonly fromRanges: Range[] }[] | null> => {
    const file = await fileAt(uri)
    requireWanted(token)
    if (file === null) return null
    const { workspace, siteAnalysis, unit } = file
    return find(siteAnalysis.analysis.site, unit).map(({ unit: other, spans }) => ({
      other: itemOf(workspace, other),
      fromRanges: spans.map((span) => sites.substitutedLinesOf(workspace, span.file).range(span)),
    }))
  }

  connection.languages.callHierarchy.onPrepare(async (params, token) => {
    const file = await fileAt(params.textDocument.uri)
    const place = placeAt(sites, params)
    requireWanted(token)
    if (place === null || file === null) return null
    const unit = findCallable(file.siteAnalysis, file.unit, place.offset)
    return unit === null ? null : [itemOf(file.workspace, unit)]
  })
  connection.languages.callHierarchy.onIncomingCalls(async ({ item }, token) => {
    const calls = await callsOf(item, token, findCallers)
    return calls?.map(({ other, fromRanges }) => ({ from: other, fromRanges })) ?? null
  })
  connection.languages.callHierarchy.onOutgoingCalls(async ({ item }, token) => {
    const calls = await callsOf(item, token, findCallees)
    return calls?.map(({ other, fromRanges }) => ({ to: other, fromRanges })) ?? null
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
