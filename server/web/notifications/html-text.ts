/** Converts the HTML of a mail to its plain text part. */
import { Parser } from 'htmlparser2'

/** Elements on separate lines. `2` adds a blank line around the element. */
const LINE_BREAKS: Readonly<Record<string, 1 | 2>> = {
  address: 2,
  article: 2,
  aside: 2,
  blockquote: 2,
  div: 1,
  dd: 1,
  dl: 2,
  dt: 1,
  figcaption: 1,
  figure: 2,
  footer: 2,
  form: 2,
  h1: 2,
  h2: 2,
  h3: 2,
  h4: 2,
  h5: 2,
  h6: 2,
  header: 2,
  hr: 2,
  li: 1,
  main: 2,
  nav: 2,
  ol: 2,
  p: 2,
  pre: 2,
  section: 2,
  table: 2,
  tr: 1,
  ul: 2,
}
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set([
  'head',
  'script',
  'style',
  'template',
  'title',
  'noscript',
  'svg',
  'math',
  'object',
])

/**
 * Converts HTML to its visible text. Blank lines separate paragraphs, list items start with a dash, and links include
 * their URL.
 */
export function htmlToText(html: string): string {
  const out = new TextWriter()
  let hiddenDepth = 0
  let preDepth = 0
  const links: { readonly href: string; readonly linkStart: number }[] = []
  const lists: { count: number | null }[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (hiddenDepth > 0 || HIDDEN_ELEMENTS.has(name)) {
          hiddenDepth++
          return
        }
        if (name === 'br') out.line()
        const lines = Object.hasOwn(LINE_BREAKS, name) ? LINE_BREAKS[name] : undefined
        if (lines !== undefined) out.ensureLineBreaks(lists.length > 0 ? 1 : lines)
        if (name === 'pre') preDepth++
        else if (name === 'hr') out.add('--------')
        else if (name === 'ul') lists.push({ count: null })
        else if (name === 'ol') lists.push({ count: 0 })
        else if (name === 'li') {
          const list = lists.at(-1)
          if (list?.count !== null && list !== undefined) list.count++
          out.add(
            `${'  '.repeat(Math.max(0, Math.min(lists.length, 8) - 1))}${list?.count ? `${list.count}. ` : '- '}`,
            true,
          )
        } else if (name === 'td' || name === 'th') out.space()
        else if (name === 'img') out.words(attributes['alt'] ?? '')
        else if (name === 'a') links.push({ href: (attributes['href'] ?? '').trim(), linkStart: out.size })
      },
      ontext(text) {
        if (hiddenDepth > 0) return
        if (preDepth > 0) out.raw(text)
        else out.words(text)
      },
      onclosetag(name) {
        if (hiddenDepth > 0) {
          hiddenDepth--
          return
        }
        if (name === 'a') {
          const link = links.pop()
          if (link !== undefined) out.link(link.href, link.linkStart)
        }
        if (name === 'pre') preDepth--
        if (name === 'ul' || name === 'ol') lists.pop()
        const lines = Object.hasOwn(LINE_BREAKS, name) ? LINE_BREAKS[name] : undefined
        if (lines !== undefined) out.ensureLineBreaks(lists.length > 0 ? 1 : lines)
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return out.toString()
}

/** Builds the text. Pending whitespace is added before the next word. */
class TextWriter {
  #parts: string[] = []
  #pendingLines = 0
  #pendingSpace = false
  size = 0

  /**
   * Adds text with the pending whitespace before it.
   * @param indent whether the text starts a list item, so that no space follows it
   */
  add(text: string, indent = false): void {
    if (text === '') return
    if (this.#pendingLines > 0) this.#push('\n'.repeat(this.#pendingLines))
    else if (this.#pendingSpace) this.#push(' ')
    this.#pendingLines = 0
    this.#pendingSpace = false
    this.#push(text)
    if (indent) this.#indented = this.size
  }

  /** Size of the text after the last list marker; no space is added there. */
  #indented = -1

  /** Adds words with single spaces between them. */
  words(text: string): void {
    const collapsed = text.replace(/[\s\u200b]+/g, ' ')
    const trimmed = collapsed.trim()
    if (collapsed.startsWith(' ')) this.space()
    this.add(trimmed)
    if (trimmed !== '' && collapsed.endsWith(' ')) this.space()
  }

  raw(text: string): void {
    this.add(text.replace(/\r\n?/g, '\n'))
  }

  space(): void {
    if (this.size > 0 && this.#pendingLines === 0 && this.size !== this.#indented) this.#pendingSpace = true
  }

  line(): void {
    if (this.size > 0) this.#pendingLines = Math.min(2, this.#pendingLines + 1)
  }

  /** Ensures at least this many line breaks before the next text. */
  ensureLineBreaks(lines: 1 | 2): void {
    if (this.size > 0) this.#pendingLines = Math.max(this.#pendingLines, lines)
    this.#pendingSpace = false
  }

  /**
   * Adds a link's URL after its text, unless the text is the URL itself. Ignores links other than web, mail and phone links.
   * @param linkStart position at which the link's text starts
   */
  link(href: string, linkStart: number): void {
    if (!/^(?:https?|mailto|tel):/i.test(href)) return
    const linkText = this.#textSince(linkStart).trim()
    const target = href.replace(/^(?:mailto|tel):/i, '')
    if (linkText === target || linkText === href || linkText === href.replace(/^https?:\/\//i, '').replace(/\/$/, ''))
      return
    const separator = linkText === '' ? '' : ' '
    this.#pendingSpace = false
    this.add(linkText === '' ? href : `${separator}(${href})`)
  }

  #textSince(linkStart: number): string {
    let { length } = this.#parts
    let position = this.size
    while (length > 0 && position > linkStart) position -= this.#parts[--length]?.length ?? 0
    return this.#parts.slice(length).join('')
  }

  #push(text: string): void {
    this.#parts.push(text)
    this.size += text.length
  }

  toString(): string {
    const lines = this.#parts.join('').split('\n')
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim()
  }
}
