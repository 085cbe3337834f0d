/** Formats an open file or a range of it. A file that does not parse stays unchanged; its diagnostics give the reason. */
import type { CancellationToken, Connection, Range, ServerCapabilities, TextEdit } from 'vscode-languageserver/node'
import type { Edit } from '../../format/edit.ts'
import { formatFile } from '../../format/file.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { parseOptionsFor } from '../answers/template-tokens.ts'
import { Lines } from './places.ts'
import type { Sites } from './sites.ts'
import { requireWanted } from './position-requests.ts'

export function formatting(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onDocumentFormatting(({ textDocument }, token) => editsOf(sites, textDocument.uri, token, null))
  connection.onDocumentRangeFormatting(({ textDocument, range }, token) =>
    editsOf(sites, textDocument.uri, token, range),
  )
  return { documentFormattingProvider: true, documentRangeFormattingProvider: true }
}

async function editsOf(
  sites: Sites,
  uri: string,
  token: CancellationToken,
  range: Range | null,
): Promise<TextEdit[] | null> {
  const place = sites.at(uri)
  if (place === null) return null
  // The site's configuration determines how texts are parsed.
  if (place.workspace.disk === null) await place.workspace.settled()
  const file = place.workspace.file(place.path)
  requireWanted(token)
  if (file === null) return null
  const formatted = formatFile(file, parseOptionsFor(place.workspace))
  if (formatted === null || formatted.edits === null) return null
  const lines = new Lines(file.writtenText?.text ?? file.text)
  const edits =
    range === null
      ? formatted.edits
      : editsWithin(file, formatted.edits, lines.offset(range.start), lines.offset(range.end))
  return edits.map(({ start, end, text }) => ({ range: lines.range({ start, end }), newText: text }))
}

/** A partially indented YAML block would change its meaning, so its edits are made together or not at all. */
function editsWithin(
  { path, text, writtenText }: SourceFile,
  edits: readonly Edit[],
  start: number,
  end: number,
): readonly Edit[] {
  const source = writtenText?.text ?? text
  const settingsEnd = path.endsWith('.liquid') ? cutFrontMatter(source).bodyStart : /\.ya?ml$/.test(path) ? Infinity : 0
  const settings = edits.filter((each) => each.start < settingsEnd)
  const isWhole = settings.every((each) => each.start >= start && each.end <= end)
  const others = edits.filter((each) => each.start >= settingsEnd && each.start <= end && each.end >= start)
  return isWhole ? [...settings, ...others] : others
}
