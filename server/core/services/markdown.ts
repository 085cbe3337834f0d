/** Converts the Markdown of pages to HTML. The site's authors write it, so HTML in it is kept. */
import { LRUCache } from 'lru-cache'
import { countSteps } from '../../../runtime/page/filters/web/markdown-steps.ts'
import type { Markdown } from '../contracts/markdown.ts'

/**
 * Creates the converter, with a cache.
 * @param maxBytes memory of the cache, counted at two bytes a character
 */
export function createMarkdown(maxBytes = 16 * 1024 * 1024): Markdown {
  const cache = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (html, text) => (html.length + text.length) * 2 + 64,
  })
  let convert: Promise<(text: string) => string> | null = null
  return {
    async html(text) {
      const cached = cache.get(text)
      if (cached !== undefined) return cached
      convert ??= loadConverter()
      const html = (await convert)(text)
      cache.set(text, html)
      return html
    },
  }
}

// Loaded on first use, because many sites have no Markdown pages.
async function loadConverter(): Promise<(text: string) => string> {
  const { default: MarkdownIt } = await import('markdown-it')
  const converter = new MarkdownIt({ html: true, linkify: false })
  const resetSteps = countSteps(converter)
  return (text) => {
    resetSteps(text)
    return converter.render(text)
  }
}
