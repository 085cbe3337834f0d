/** Answers for the HTML around a template's tags, from the HTML language service. */
import type { CompletionItem, FoldingRange, Hover } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { getLanguageService, type LanguageService } from 'vscode-html-languageservice'
import { cursorAt } from '../answers/cursor.ts'
import { currentText } from '../answers/template-tokens.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { RequestPosition, SitePlace } from './sites.ts'

let service: LanguageService | null = null

export function completeHtml(place: RequestPosition): CompletionItem[] {
  const document = htmlOf(place)
  if (document === null) return []
  const { html, document: text } = document
  return html.doComplete(text, place.position, html.parseHTMLDocument(text)).items
}

export function hoverHtml(place: RequestPosition): Hover | null {
  const document = htmlOf(place)
  if (document === null) return null
  const { html, document: text } = document
  return html.doHover(text, place.position, html.parseHTMLDocument(text))
}

/** Returns the folding ranges of the HTML in a template. */
export function foldHtml({ workspace, path, uri }: SitePlace): FoldingRange[] {
  const text = path.endsWith('.liquid') ? currentText(workspace, path) : null
  if (text === null) return []
  service ??= getLanguageService()
  return service.getFoldingRanges(blankOut(text, uri))
}

/** Returns the template with its tags blanked out, if the position is in HTML. */
function htmlOf({
  workspace,
  path,
  position,
  lines,
  uri,
}: RequestPosition): { readonly html: LanguageService; readonly document: TextDocument } | null {
  const text = path.endsWith('.liquid') ? currentText(workspace, path) : null
  if (text === null || workspace.file(path) === null) return null
  if (cursorAt(text, lines.offset(position), cutFrontMatter(text).bodyStart).kind !== 'text') return null
  service ??= getLanguageService()
  return { html: service, document: blankOut(text, uri) }
}

/** Replaces the tags and the front matter of a template with spaces. */
function blankOut(text: string, uri: string): TextDocument {
  const { bodyStart } = cutFrontMatter(text)
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ')
  const body = text.slice(bodyStart).replace(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g, blank)
  return TextDocument.create(uri, 'html', 1, blank(text.slice(0, bodyStart)) + body)
}
