/** Requests about a position: completion, hover and signature help. */
import {
  type CancellationToken,
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type Connection,
  InsertTextFormat,
  LSPErrorCodes,
  MarkupKind,
  type Position,
  type Range,
  ResponseError,
  type ServerCapabilities,
} from 'vscode-languageserver/node'
import { callAt } from '../answers/complete-arguments.ts'
import { complete } from '../answers/complete.ts'
import { cursorAt } from '../answers/cursor.ts'
import { hoverAt } from '../answers/hover.ts'
import type { SuggestionKind } from '../answers/suggestion.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { writtenSpan } from '../../../core/source/template-values.ts'
import { completeHtml, hoverHtml } from './html.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { SiteAnalysis, Workspace } from '../workspace.ts'
import type { RequestPosition, SitePlace, Sites } from './sites.ts'

const KINDS: Readonly<Record<SuggestionKind, CompletionItemKind>> = {
  tag: CompletionItemKind.Keyword,
  filter: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  property: CompletionItemKind.Field,
  argument: CompletionItemKind.Property,
  file: CompletionItemKind.File,
  query: CompletionItemKind.Module,
  form: CompletionItemKind.Struct,
  translation: CompletionItemKind.Text,
  page: CompletionItemKind.Reference,
  setting: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  field: CompletionItemKind.Field,
  table: CompletionItemKind.Class,
}

/** Resolves the position of a request; null for a file outside of all sites. */
export function placeAt(
  sites: Sites,
  { textDocument, position }: { readonly textDocument: { readonly uri: string }; readonly position: Position },
): RequestPosition | null {
  const place = sites.at(textDocument.uri)
  if (place === null) return null
  const read = sites.substitutedLinesOf(place.workspace, place.path)
  return { ...place, position, substitutedLines: read, offset: read.offset(position) }
}

/** Like `placeAt`, after the analysis of the whole site: earlier, neither the texts nor the names of its files are known. */
export async function settledPlaceAt(
  sites: Sites,
  params: Parameters<typeof placeAt>[1],
): Promise<RequestPosition | null> {
  await sites.at(params.textDocument.uri)?.workspace.settled()
  return placeAt(sites, params)
}

/** Like `placeAt`, after the first analysis of the whole site. Later ones are not waited for. */
export async function analysedPlaceAt(
  sites: Sites,
  params: Parameters<typeof placeAt>[1],
): Promise<RequestPosition | null> {
  const known = placeAt(sites, params)
  return known?.workspace.siteAnalysis === null ? settledPlaceAt(sites, params) : known
}

/** A file of a site whose last analysis is known. */
export interface AnalysedFile {
  readonly workspace: Workspace
  readonly siteAnalysis: SiteAnalysis
  readonly unit: Unit
}

/** Returns a file with the last analysis of its site; null without an analysis, and for a file that is not in it. */
export function analysedFile({ workspace, path }: SitePlace): AnalysedFile | null {
  const { siteAnalysis } = workspace
  const unit = siteAnalysis?.analysis.site.byFile.get(path)
  return siteAnalysis === null || unit === undefined ? null : { workspace, siteAnalysis, unit }
}

/** Ends a cancelled request, so that its answer says so. @throws ResponseError */
export function requireWanted(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.')
}

/** Returns a protocol error with the reason why a request has no result. */
export function requestError(words: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, words)
}

export function completion(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onCompletion((params) => {
    const place = placeAt(sites, params)
    if (place === null) return []
    const { workspace, path, offset, substitutedLines: read } = place
    const { start, end, suggestions } = complete(workspace, path, offset)
    const range = read.range({ start, end })
    const kept = findKeptMarkup(workspace.file(path), start, end)
    const items = suggestions.map(
      ({ label, kind, detail, documentation, insert, deprecated }): CompletionItem => ({
        label,
        kind: KINDS[kind],
        ...completionEdit(insert ?? label, range, kept),
        insertTextFormat: InsertTextFormat.PlainText,
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
        ...(deprecated === true && { tags: [CompletionItemTag.Deprecated], sortText: `~${label}` }),
        // Missing arguments of a call come first.
        ...(kind === 'argument' && { sortText: ` ${label}` }),
      }),
    )
    return items.length > 0 ? items : completeHtml(place)
  })
  return { completionProvider: { triggerCharacters: ['.', '|', "'", '"', '/', '%', '{', ':', ' ', '<', '$'] } }
}

/** A prefix of the completed text that consists of module values, and the markup that its author wrote. */
interface KeptMarkup {
  readonly read: string
  readonly writtenName: string
}

function findKeptMarkup(file: SourceFile | null, start: number, end: number): KeptMarkup | null {
  const last = file?.writtenText?.replacements.findLast((each) => each.start < end && start < each.end)
  if (file?.writtenText === undefined || last === undefined) return null
  const from = writtenSpan(file.writtenText, { file: file.path, start, end }).start
  return { read: file.text.slice(start, last.end), writtenName: file.writtenText.text.slice(from, last.markupEnd) }
}

/** Returns the edit of a suggestion. Markup that produces the prefix is kept. */
function completionEdit(
  text: string,
  range: Range,
  kept: KeptMarkup | null,
): Pick<CompletionItem, 'textEdit' | 'filterText'> {
  if (kept === null || !text.startsWith(kept.read)) return { textEdit: { range, newText: text } }
  const newText = kept.writtenName + text.slice(kept.read.length)
  return { textEdit: { range, newText }, filterText: newText }
}

export function hover(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onHover(async (params, token) => {
    const place = await analysedPlaceAt(sites, params)
    requireWanted(token)
    if (place === null) return null
    const found = hoverAt(place.workspace, place.path, place.offset)
    if (found === null) return hoverHtml(place)
    return { range: place.substitutedLines.range(found), contents: { kind: MarkupKind.Markdown, value: found.text } }
  })
  return { hoverProvider: true }
}

export function signatureHelp(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onSignatureHelp((params) => {
    const place = placeAt(sites, params)
    const file = place?.workspace.file(place.path)
    if (place === null || file == null || !place.path.endsWith('.liquid')) return null
    const cursor = cursorAt(file.text, place.offset, cutFrontMatter(file.text).bodyStart)
    const call = cursor.kind === 'markup' ? callAt(place.workspace, file.text, place.offset, cursor) : null
    if (call === null) return null
    const writtenText = file.text.slice(call.from, place.offset)
    const name = /(\w+)\s*:[^,]*$/.exec(writtenText)?.[1]
    const named = call.parameters.findIndex((each) => each.name === name)
    const active = named >= 0 ? named : call.named ? -1 : writtenText.split(',').length - 1
    const parameters = call.parameters.map(({ name: each, type, description }) => ({
      label: parameterRange(call.usage, each),
      documentation: [type, description].filter((words) => words !== '').join(': '),
    }))
    return {
      signatures: [{ label: call.usage, documentation: call.description, parameters }],
      activeSignature: 0,
      ...(active >= 0 && active < parameters.length && { activeParameter: active }),
    }
  })
  return { signatureHelpProvider: { triggerCharacters: [',', ':'], retriggerCharacters: [' '] } }
}

/** Returns the range of a parameter in the signature of its call. */
function parameterRange(usage: string, name: string): string | [number, number] {
  const at = usage.search(new RegExp(`(?<=[ [])${name.replace(/\W/g, '\\$&')}\\b`))
  return at < 0 ? name : [at, at + name.length]
}
