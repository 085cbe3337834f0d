/** Features that answer about one place of one file. */
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type Connection,
  InsertTextFormat,
  LSPErrorCodes,
  MarkupKind,
  type Position,
  ResponseError,
  type ServerCapabilities,
} from 'vscode-languageserver/node'
import { callAt } from '../answers/complete-arguments.ts'
import { complete } from '../answers/complete.ts'
import { cursorAt } from '../answers/cursor.ts'
import { hoverAt } from '../answers/hover.ts'
import type { SuggestionKind } from '../answers/suggestion.ts'
import { cutFrontMatter } from '../../source/front-matter.ts'
import { completeHtml, hoverHtml } from './html.ts'
import type { SitePlace, Sites } from './sites.ts'

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

/** A place that a client asks about, with its offset. */
export function placeAt(
  sites: Sites,
  { textDocument, position }: { readonly textDocument: { readonly uri: string }; readonly position: Position },
): (SitePlace & { readonly offset: number }) | null {
  const place = sites.at(textDocument.uri)
  return place === null ? null : { ...place, offset: place.lines.offset(position) }
}

/** Why a request has no answer, in the words of the protocol. */
export function refused(words: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, words)
}

export function completion(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onCompletion((params) => {
    const place = placeAt(sites, params)
    if (place === null) return []
    const { workspace, path, offset, lines } = place
    const { start, end, all } = complete(workspace, path, offset)
    const range = lines.range({ start, end })
    const items = all.map(
      ({ label, kind, detail, documentation, insert, deprecated }): CompletionItem => ({
        label,
        kind: KINDS[kind],
        textEdit: { range, newText: insert ?? label },
        insertTextFormat: InsertTextFormat.PlainText,
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
        ...(deprecated === true && { tags: [CompletionItemTag.Deprecated], sortText: `~${label}` }),
        // What a call still takes comes first.
        ...(kind === 'argument' && { sortText: ` ${label}` }),
      }),
    )
    return items.length > 0 ? items : completeHtml(place)
  })
  return { completionProvider: { triggerCharacters: ['.', '|', "'", '"', '/', '%', '{', ':', ' ', '<', '$'] } }
}

export function hover(connection: Connection, sites: Sites): ServerCapabilities {
  connection.onHover((params) => {
    const place = placeAt(sites, params)
    if (place === null) return null
    const found = hoverAt(place.workspace, place.path, place.offset)
    if (found === null) return hoverHtml(place)
    return { range: place.lines.range(found), contents: { kind: MarkupKind.Markdown, value: found.text } }
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
    const written = file.text.slice(call.from, place.offset)
    const name = /(\w+)\s*:[^,]*$/.exec(written)?.[1]
    const named = call.parameters.findIndex((each) => each.name === name)
    const active = named >= 0 ? named : call.named ? -1 : written.split(',').length - 1
    const parameters = call.parameters.map(({ name: each, type, says }) => ({
      label: labelIn(call.usage, each),
      documentation: [type, says].filter((words) => words !== '').join(': '),
    }))
    return {
      signatures: [{ label: call.usage, documentation: call.says, parameters }],
      activeSignature: 0,
      ...(active >= 0 && active < parameters.length && { activeParameter: active }),
    }
  })
  return { signatureHelpProvider: { triggerCharacters: [',', ':'], retriggerCharacters: [' '] } }
}

/** Where a parameter stands in the words of its call. */
function labelIn(usage: string, name: string): string | [number, number] {
  const at = usage.search(new RegExp(`(?<=[ [])${name.replace(/\W/g, '\\$&')}\\b`))
  return at < 0 ? name : [at, at + name.length]
}
