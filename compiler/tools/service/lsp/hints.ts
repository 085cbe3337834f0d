/** Inlay hints and code lenses: types of variables, callers, statements and addresses. */
import {
  type CodeLens,
  CodeLensRefreshRequest,
  type Connection,
  InlayHintKind,
  type ServerCapabilities,
} from 'vscode-languageserver/node'
import { inlayHints as hintsOf } from '../answers/inlay-hints.ts'
import { findLenses } from '../answers/lenses.ts'
import { locationsOf } from './names.ts'
import type { Sites } from './sites.ts'
import { analysedFile, requireWanted } from './position-requests.ts'

/** The command of a lens with places. Its arguments are an address, a position and locations. */
const SHOW_PLACES = 'ingot.showPlaces'

export function inlayHints(connection: Connection, sites: Sites): ServerCapabilities {
  sites.onSettled = () => refresh(connection, sites)
  connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
    const before = sites.at(uri)
    if (before === null) return null
    if (before.workspace.siteAnalysis === null) await before.workspace.settled()
    const place = sites.at(uri)
    requireWanted(token)
    if (place === null) return null
    const { workspace, path } = place
    const lines = sites.substitutedLinesOf(workspace, path)
    return hintsOf(workspace, path, lines.offset(range.start), lines.offset(range.end)).map(
      ({ offset, label, tooltip }) => ({
        position: lines.position(offset),
        label,
        tooltip,
        kind: InlayHintKind.Type,
      }),
    )
  })
  return { inlayHintProvider: true }
}

/** Asks the client to refresh hints and lenses after an analysis of the site. */
function refresh(connection: Connection, { client }: Sites): void {
  const asked: Promise<void>[] = []
  if (client.workspace?.inlayHint?.refreshSupport === true) asked.push(connection.languages.inlayHint.refresh())
  if (client.workspace?.codeLens?.refreshSupport === true)
    asked.push(connection.sendRequest(CodeLensRefreshRequest.type))
  if (client.workspace?.semanticTokens?.refreshSupport === true)
    asked.push(connection.languages.semanticTokens.refresh())
  for (const each of asked) each.catch((error: unknown) => connection.console.error(String(error)))
}

export function codeLens(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
    const place = sites.at(uri)
    if (place === null) return null
    await place.workspace.settled()
    requireWanted(token)
    const file = analysedFile(place)
    if (file === null) return null
    const { workspace, siteAnalysis, unit } = file
    const lines = sites.substitutedLinesOf(workspace, place.path)
    return findLenses(siteAnalysis, unit).map(({ offset, title, places }): CodeLens => {
      const position = lines.position(offset)
      const command =
        places === null || places.length === 0
          ? { title, command: '' }
          : { title, command: SHOW_PLACES, arguments: [uri, position, locationsOf(sites, workspace, places)] }
      return { range: { start: position, end: position }, command }
    })
  })
  return { codeLensProvider: {} }
}
