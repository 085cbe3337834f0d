/** HTML around the tags of a template, by the service that knows it. */
import type { CompletionItem, Hover } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { getLanguageService, type LanguageService } from 'vscode-html-languageservice'
import { cursorAt } from '../answers/cursor.ts'
import { cutFrontMatter } from '../../source/front-matter.ts'
import type { SitePlace } from './sites.ts'

let service: LanguageService | null = null

type Asked = SitePlace & { readonly offset: number }

export function completeHtml(place: Asked): CompletionItem[] {
  const document = htmlOf(place)
  if (document === null) return []
  const { html, document: text } = document
  return html.doComplete(text, text.positionAt(place.offset), html.parseHTMLDocument(text)).items
}

export function hoverHtml(place: Asked): Hover | null {
  const document = htmlOf(place)
  if (document === null) return null
  const { html, document: text } = document
  return html.doHover(text, text.positionAt(place.offset), html.parseHTMLDocument(text))
}

/** The template with spaces in the places of its tags and front matter, where HTML stands at the place. */
function htmlOf({
  workspace,
  path,
  offset,
  uri,
}: Asked): { readonly html: LanguageService; readonly document: TextDocument } | null {
  const file = workspace.file(path)
  if (file === null || !path.endsWith('.liquid')) return null
  const { bodyStart } = cutFrontMatter(file.text)
  if (cursorAt(file.text, offset, bodyStart).kind !== 'text') return null
  const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ')
  const body = file.text.slice(bodyStart).replace(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g, blank)
  service ??= getLanguageService()
  return { html: service, document: TextDocument.create(uri, 'html', 1, blank(file.text.slice(0, bodyStart)) + body) }
}
