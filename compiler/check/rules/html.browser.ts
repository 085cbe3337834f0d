/** In a browser templates are pieces of pages, whose HTML is not looked at. A bundle has no room for that. */
import type { HtmlScan } from './html.ts'

export function scanHtml(): HtmlScan {
  return { elements: [], unbalanced: [], lost: true }
}

export function htmlProblem(): string | null {
  return null
}
