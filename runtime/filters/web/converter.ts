/** Markdown as pages have it: CommonMark with tables, the author's own HTML as it stands, and headings that can be linked to. */
import Converter, { type MarkdownIt } from 'markdown-it'

/**
 * A converter of its own, so that its user may add rules.
 * @param foreign what in a heading is no text: it is no part of the heading's `id`
 */
export function markdownConverter(foreign: RegExp | null = null): MarkdownIt {
  const converter = new Converter({ html: true, linkify: false })
  converter.renderer.rules['heading_open'] = (tokens, index, options, env, renderer) => {
    const inline = tokens[index + 1]
    const html = renderer.renderInline(inline?.children ?? [], options, env)
    const text = foreign === null ? html : html.replaceAll(foreign, '')
    if (text.trim() !== '') tokens[index]?.attrSet('id', headingId(text))
    return renderer.renderToken(tokens, index, options)
  }
  return converter
}

/**
 * The `id` of a heading, from its HTML: what is no plain character of ASCII makes one dash, elements and entities nothing. As
 * Redcarpet makes them, by which living sites link: `pos.json & more` is `pos-json-more`.
 */
export function headingId(html: string): string {
  const id = html
    .replace(/<[^>]*>|&[^;]*;/g, '')
    .replace(/[^\x21-\x7E]+|[-&+$,/:;=?@"#{}|^~[\]`\\*()%.!']+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
  return id === '' ? `part-${hashOf(html)}` : id
}

/** The hash djb2 of a text's bytes. */
function hashOf(text: string): string {
  let hash = 5381n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, hash * 33n + BigInt(byte))
  return hash.toString(16)
}
