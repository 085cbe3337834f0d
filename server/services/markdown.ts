/** Markdown of pages to HTML. Pages are written by the site's authors, so their own HTML stays as it is. */
import { LRUCache } from 'lru-cache'
import type { Markdown } from '../contracts/markdown.ts'

/** @param maxBytes memory for results, counted at two bytes a character */
export function createMarkdown(maxBytes = 16 * 1024 * 1024): Markdown {
  const known = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (html, text) => (html.length + text.length) * 2 + 64,
  })
  let convert: Promise<(text: string) => string> | null = null
  return {
    async html(text) {
      const found = known.get(text)
      if (found !== undefined) return found
      convert ??= loadConverter()
      const html = (await convert)(text)
      known.set(text, html)
      return html
    },
  }
}

// Loaded on first use: a site without markdown pages should not pay for the library.
async function loadConverter(): Promise<(text: string) => string> {
  const { default: MarkdownIt } = await import('markdown-it')
  const converter = new MarkdownIt({ html: true, linkify: false })
  return (text) => converter.render(text)
}
