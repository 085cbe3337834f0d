/** Features that follow names through a site: definition, references, rename, file moves, links. */
import {
  type CancellationToken,
  type Connection,
  DocumentHighlightKind,
  type Location,
  type ServerCapabilities,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import type { Span } from '../../../core/source/span.ts'
import { findMentionedFiles, resolveFile } from '../answers/links.ts'
import { editsForMoves, RenameError, findRenamable, renameAt, type Renaming } from '../answers/rename.ts'
import { findSymbolAt, findPlaces } from '../answers/symbols.ts'
import type { Workspace } from '../workspace.ts'
import { analysedFile, analysedPlaceAt, requestError, requireWanted, settledPlaceAt } from './position-requests.ts'
import { sitePathOf, uriOf } from './places.ts'
import type { RequestPosition, Sites } from './sites.ts'

/** Converts spans in files of a site to locations. */
export function locationsOf(sites: Sites, workspace: Workspace, spans: readonly Span[]): Location[] {
  return spans.map((span) => ({
    uri: uriOf({ root: workspace.root, path: span.file }),
    range: sites.substitutedLinesOf(workspace, span.file).range(span),
  }))
}

/** Returns the symbol at a place with its file; null if there is none. @throws ResponseError if the request was cancelled */
function symbolAt(place: RequestPosition | null, token: CancellationToken) {
  if (place === null) return null
  requireWanted(token)
  const file = analysedFile(place)
  const symbol = file === null ? null : findSymbolAt(file.siteAnalysis, file.unit, place.offset)
  return file === null || symbol === null ? null : { ...file, symbol }
}

export function definition(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onDefinition(async (params, token) => {
    const found = symbolAt(await settledPlaceAt(sites, params), token)
    if (found === null) return null
    const { workspace, siteAnalysis, symbol } = found
    const named = resolveFile(siteAnalysis.analysis.site, symbol)
    if (named !== null) return locationsOf(sites, workspace, [{ file: named, start: 0, end: 0 }])
    const { places } = findPlaces(siteAnalysis, symbol)
    const declared = places.filter(({ declares }) => declares).map(({ span }) => span)
    const selected = symbol.kind === 'property' ? (symbol.selections ?? []) : []
    const spans = [...selected, ...declared]
    return locationsOf(sites, workspace, spans.length > 0 ? spans : places.slice(0, 1).map(({ span }) => span))
  })
  return { definitionProvider: true }
}

export function references(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onReferences(async (params, token) => {
    const found = symbolAt(await settledPlaceAt(sites, params), token)
    if (found === null) return null
    const { workspace, siteAnalysis, symbol } = found
    const { places, possible } = findPlaces(siteAnalysis, symbol)
    const shown = places.filter(({ declares }) => params.context.includeDeclaration || !declares)
    return locationsOf(sites, workspace, [...shown.map(({ span }) => span), ...possible])
  })
  return { referencesProvider: true }
}

export function documentHighlight(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onDocumentHighlight(async (params, token) => {
    const place = await analysedPlaceAt(sites, params)
    const found = symbolAt(place, token)
    if (place === null || found === null) return null
    return findPlaces(found.siteAnalysis, found.symbol, place.path)
      .places.filter(({ span }) => span.file === place.path)
      .map(({ span, declares }) => ({
        range: place.substitutedLines.range(span),
        kind: declares ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      }))
  })
  return { documentHighlightProvider: true }
}

export function rename(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onPrepareRename(async (params) => {
    const place = await settledPlaceAt(sites, params)
    if (place === null) return null
    return withRequestErrors(() => {
      const { span, text } = findRenamable(place.workspace, place.path, place.offset)
      return { range: place.substitutedLines.range(span), placeholder: text }
    })
  })
  connection.onRenameRequest(async (params, token) => {
    const place = await settledPlaceAt(sites, params)
    if (place === null) return null
    requireWanted(token)
    return withRequestErrors(() => {
      const renaming = renameAt(place.workspace, place.path, place.offset, params.newName)
      warnAboutComputedNames(connection, sites, place.workspace, renaming)
      return editOf(sites, place.workspace, renaming)
    })
  })
  return { renameProvider: { prepareProvider: true } }
}

export function fileMoves(connection: Connection, sites: Sites): ServerCapabilities {
  connection.workspace.onWillRenameFiles(async ({ files }) => {
    const moves = files.flatMap(({ oldUri, newUri }) => {
      const from = sites.at(oldUri)
      const to = sitePathOf(newUri, sites.folders)
      return from === null || to === null ? [] : [{ workspace: from.workspace, from: from.path, to: to.path }]
    })
    const [first] = moves
    if (first === undefined) return null
    await first.workspace.settled()
    const renaming = editsForMoves(first.workspace, moves)
    warnAboutComputedNames(connection, sites, first.workspace, renaming)
    return editOf(sites, first.workspace, renaming)
  })
  const filters = [{ scheme: 'file', pattern: { glob: '**/*.{liquid,graphql}' } }]
  return { workspace: { fileOperations: { willRename: { filters } } } }
}

export function documentLinks(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onDocumentLinks(({ textDocument }) => {
    const place = sites.at(textDocument.uri)
    if (place === null) return null
    const lines = sites.substitutedLinesOf(place.workspace, place.path)
    return findMentionedFiles(place.workspace, place.path).map(({ span, file }) => ({
      range: lines.range(span),
      target: uriOf({ root: place.root, path: file }),
    }))
  })
  return { documentLinkProvider: {} }
}

function withRequestErrors<Answer>(answer: () => Answer): Answer {
  try {
    return answer()
  } catch (error) {
    throw error instanceof RenameError ? requestError(error.message) : error
  }
}

function editOf(sites: Sites, workspace: Workspace, { edits, moves }: Renaming): WorkspaceEdit {
  const files = [...new Set(edits.map(({ span }) => span.file))]
  const changes = files.map((path): TextDocumentEdit => {
    const own = edits.filter(({ span }) => span.file === path)
    const lines = sites.linesOf(workspace, path)
    return {
      textDocument: { uri: uriOf({ root: workspace.root, path }), version: null },
      edits: own.map(({ span, text }) => ({ range: lines.range(span), newText: text })),
    }
  })
  const renames = moves.map(({ from, to }) => ({
    kind: 'rename' as const,
    oldUri: uriOf({ root: workspace.root, path: from }),
    newUri: uriOf({ root: workspace.root, path: to }),
  }))
  return { documentChanges: [...changes, ...renames] }
}

/** Warns about places that are not edited because their names are computed at run time. */
function warnAboutComputedNames(
  connection: Connection,
  sites: Sites,
  workspace: Workspace,
  { possible }: Renaming,
): void {
  if (possible.length === 0) return
  const shown = possible.map(
    (span) => `${span.file}:${sites.substitutedLinesOf(workspace, span.file).position(span.start).line + 1}`,
  )
  const places = [...new Set(shown)].join(', ')
  connection.window.showWarningMessage(
    `These computed names may refer to the renamed symbol, and were not changed: ${places}`,
  )
}
