/**
 * Markdown files. Each is converted by itself and before its Liquid runs: what a tag or output prints is no Markdown, and goes into
 * the HTML as it is. For the converter a tag or output is a mark, which it carries along like a letter:
 *
 *     See {{ name }}:         <p>See ‹v0›:</p>          text, output, text
 *     {% if open %}           ‹b1›                      if
 *     ## Today                <h2 id="today">Today</h2>    text
 *     {% endif %}             ‹b2›                      endif
 */
import type { MarkdownIt } from 'markdown-it'
import { markdownConverter } from '../../runtime/filters/web/converter.ts'
import type { Expression, NamedArgument } from '../model/ast.ts'
import { rawExtent } from '../syntax/raw.ts'
import type { Item } from './parser.ts'
import { trim } from './trim.ts'

/** What stands behind a mark: a value that may move (`v`), a tag by itself (`t`), a part of a block (`b`). */
type Role = 'v' | 't' | 'b'

type Part =
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly exact: boolean }
  | { readonly kind: 'mark'; readonly role: Role; readonly items: readonly Item[] }

/** The items of a Markdown file with its texts as HTML. Texts that cannot be converted stay as they are. */
export function markdownItems(items: readonly Item[], text: string): readonly Item[] {
  return convert(items, text, false)
}

function convert(items: readonly Item[], text: string, kept: boolean): readonly Item[] {
  const parts = partsOf(items, text)
  const border = borderOf(text)
  const skeleton = parts
    .map((part, index) => (part.kind === 'text' ? text.slice(part.start, part.end) : mark(border, part.role, index)))
    .join('')
  const html = htmlOf(skeleton, border, kept)
  return (
    merged(parts, html, border, text) ?? parts.flatMap((part) => (part.kind === 'text' ? [textItem(part)] : part.items))
  )
}

function partsOf(items: readonly Item[], text: string): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    if (item.kind === 'text') {
      parts.push({ kind: 'text', start: item.start, end: item.end, exact: false })
      continue
    }
    const extent =
      item.kind === 'raw' && /^\{%-?\s*raw\b/.test(text.slice(item.start, item.end))
        ? rawExtent(text, item.start, 'raw', 'verbatim')
        : null
    if (extent !== null) {
      // The text of `raw` is Markdown like the rest: only its Liquid is none.
      parts.push({ kind: 'mark', role: 't', items: [] })
      parts.push({ kind: 'text', start: extent.bodyStart, end: extent.bodyEnd, exact: true })
      parts.push({ kind: 'mark', role: 't', items: [] })
      continue
    }
    const content = item.kind === 'open' ? item.tag.content : undefined
    const end = content === undefined ? -1 : endOf(items, at)
    if (end >= 0) {
      const body = items.slice(at + 1, end)
      const inner = content === 'kept' ? convert(body, text, true) : body
      parts.push({ kind: 'mark', role: 't', items: [item, ...inner, items[end] as Item] })
      at = end
      continue
    }
    parts.push({ kind: 'mark', role: roleOf(item), items: [withInlineTexts(item)] })
  }
  return parts
}

/** Index of the end of the block that opens at `at`; -1 for a tag without one. */
function endOf(items: readonly Item[], at: number): number {
  const open = items[at]
  if (open?.kind !== 'open') return -1
  const shape = typeof open.tag.shape === 'function' ? open.tag.shape(open.markup as never) : open.tag.shape
  if (shape !== 'block') return -1
  let depth = 0
  for (let index = at; index < items.length; index++) {
    const item = items[index] as Item
    if (item.kind === 'open' && item.written.name === open.written.name) depth++
    if (item.kind === 'end' && item.written.name === `end${open.written.name}` && --depth === 0) return index
  }
  return -1
}

function roleOf(item: Item): Role {
  if (item.kind === 'output') return 'v'
  if (item.kind === 'branch' || item.kind === 'end') return 'b'
  if (item.kind !== 'open') return 't'
  const { shape } = item.tag
  return (typeof shape === 'function' ? shape(item.markup as never) : shape) === 'block' ? 'b' : 't'
}

// ---- marks --------------------------------------------------------------------------------------------------------------

/** A character that the text does not have: of those that no script uses. */
function borderOf(text: string): string {
  let code = 0xe000
  while (text.includes(String.fromCharCode(code))) code++
  return String.fromCharCode(code)
}

function mark(border: string, role: Role, index: number): string {
  return `${border}${role}${index}${border}`
}

/** Pieces of a text in turn: what stands between marks, and the number of the mark behind it. */
function cut(text: string, border: string): { readonly texts: readonly string[]; readonly marks: readonly number[] } {
  const pieces = text.split(new RegExp(`${border}[vtb](\\d+)${border}`))
  return {
    texts: pieces.filter((_, index) => index % 2 === 0),
    marks: pieces.filter((_, index) => index % 2 === 1).map(Number),
  }
}

// ---- Markdown -----------------------------------------------------------------------------------------------------------

/** By the character that borders marks: nearly always the same. */
const converters = new Map<string, MarkdownIt>()

function htmlOf(skeleton: string, border: string, kept: boolean): string {
  let converter = converters.get(border)
  if (converter === undefined) converters.set(border, (converter = converterOf(border)))
  const tokens = converter.parse(skeleton, {})
  // A kept text goes into other markup: one paragraph is given without its element.
  if (kept && tokens.length === 3 && tokens[0]?.type === 'paragraph_open') {
    for (const token of tokens) token.hidden = true
    const body = converter.renderer.renderInline(tokens[1]?.children ?? [], converter.options, {})
    const [before = ''] = /^\s*/.exec(skeleton) ?? []
    const [behind = ''] = /\s*$/.exec(skeleton) ?? []
    return before + body + behind
  }
  return converter.renderer.render(tokens, converter.options, {})
}

function converterOf(border: string): MarkdownIt {
  const converter = markdownConverter(new RegExp(`${border}[vtb]\\d+${border}`, 'g'))
  const anyMark = new RegExp(`(${border}[vtb]\\d+${border})`)
  const onlyTags = new RegExp(`^(?:${border}[tb]\\d+${border}|[ \\t])+$`)
  const { normalizeLink } = converter
  converter.normalizeLink = (url) =>
    url
      .split(anyMark)
      .map((piece) => (anyMark.test(piece) ? piece : normalizeLink(piece)))
      .join('')
  // A line of nothing but tags is no paragraph. The parts of a block end the paragraph before them, so that it does not stand half in
  // the block.
  converter.block.ruler.before(
    'table',
    'liquid',
    (state, line, _end, silent) => {
      const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
      const content = state.src.slice(from, state.eMarks[line])
      if (!onlyTags.test(content)) return false
      if (silent) return content.includes(`${border}b`)
      const token = state.push('html_block', '', 0)
      token.content = `${content}\n`
      token.map = [line, line + 1]
      state.line = line + 1
      return true
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
  return converter
}

// ---- back to items ------------------------------------------------------------------------------------------------------

interface Converted {
  /** What is printed. */
  readonly html: string
  /** What the file says, for who asks for the Markdown. */
  readonly source: string
}

/** Items in the order of the HTML. Null where the converter lost a tag or tore a block apart. */
function merged(parts: readonly Part[], html: string, border: string, text: string): Item[] | null {
  const { texts, marks } = cut(html, border)
  const fixed = new Set(parts.flatMap((part, index) => (part.kind === 'mark' && part.role !== 'v' ? [index] : [])))
  const found = marks.filter((index) => fixed.has(index))
  if (found.length !== fixed.size || found.some((index, at) => at > 0 && index < (found[at - 1] as number))) return null

  const result: Item[] = []
  let from = 0
  let htmls: (string | number)[] = [texts[0] ?? '']
  const flush = (to: number): void => {
    result.push(...stretch(parts, from, to, htmls, text))
    const part = parts[to]
    if (part?.kind === 'mark') result.push(...part.items)
    from = to + 1
    htmls = []
  }
  for (const [at, index] of marks.entries()) {
    const next = marks.slice(at + 1).find((later) => fixed.has(later)) ?? Number.POSITIVE_INFINITY
    const moved = !fixed.has(index) && (index < from || index > next || marks.includes(index, at + 1))
    if (moved) htmls.push(index)
    else flush(index)
    htmls.push(texts[at + 1] ?? '')
  }
  flush(parts.length)
  return result
}

/** The items of the parts from `from` to before `to`, whose HTML is `htmls`: texts, and numbers of outputs that moved there. */
function stretch(
  parts: readonly Part[],
  from: number,
  to: number,
  htmls: readonly (string | number)[],
  text: string,
): Item[] {
  const own = parts.slice(from, to)
  const first = own[0]
  const last = own.at(-1)
  const start = first?.kind === 'text' ? first.start : last?.kind === 'text' ? last.start : 0
  const [only] = htmls
  if (own.length <= 1 && htmls.length === 1 && typeof only === 'string' && first?.kind !== 'mark') {
    if (first === undefined)
      return only === '' ? [] : [{ kind: 'text', start, end: start, converted: { html: only, source: '' } }]
    const source = first.exact ? text.slice(first.start, first.end) : trim(text, first.start, first.end)
    return [
      {
        kind: 'text',
        start: first.start,
        end: first.end,
        converted: { html: trimmed(only, first, first, text), source },
      },
    ]
  }
  const items: Item[] = []
  for (const [at, piece] of htmls.entries()) {
    if (typeof piece === 'number') items.push(...itemsOf(parts[piece], 'converted'))
    else {
      const html = trimmed(piece, at === 0 ? first : undefined, at === htmls.length - 1 ? last : undefined, text)
      if (html !== '') items.push({ kind: 'text', start, end: start, converted: { html, source: '' } })
    }
  }
  for (const part of own) {
    if (part.kind === 'mark') items.push(...itemsOf(part, 'source'))
    else {
      const source = part.exact ? text.slice(part.start, part.end) : trim(text, part.start, part.end)
      items.push({ kind: 'text', start: part.start, end: part.end, converted: { html: '', source } })
    }
  }
  return items
}

function itemsOf(part: Part | undefined, only: 'converted' | 'source'): Item[] {
  if (part?.kind !== 'mark') return []
  return part.items.map((item) => (item.kind === 'output' ? { ...item, only } : item))
}

/** White space goes where dashes ask for it beside the text that the HTML was made of. */
function trimmed(html: string, first: Part | undefined, last: Part | undefined, text: string): string {
  let result = html
  if (first?.kind === 'text' && !first.exact && /-[%}]\}$/.test(text.slice(Math.max(0, first.start - 3), first.start)))
    result = result.trimStart()
  if (last?.kind === 'text' && !last.exact && /^\{[%{]-/.test(text.slice(last.end, last.end + 3)))
    result = result.trimEnd()
  return result
}

function textItem(part: Extract<Part, { kind: 'text' }>): Item {
  return { kind: 'text', start: part.start, end: part.end }
}

export type { Converted }

// ---- texts in tags ------------------------------------------------------------------------------------------------------

const inline = markdownConverter()
// A text in quotes is Liquid's: its own quotes need no escape.
inline.renderer.rules['text'] = (tokens, index) =>
  inline.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('&quot;', '"')

/** Texts that a Markdown file passes to a partial are of the file as well: `content: 'See [there](/there)'` passes a link. */
function withInlineTexts(item: Item): Item {
  if (item.kind !== 'open' || !PARTIALS.has(item.tag.name)) return item
  const markup = item.markup as { readonly arguments: readonly NamedArgument[] }
  const args = markup.arguments.map((each) => ({ ...each, value: inlineText(each.value) }))
  return { ...item, markup: { ...markup, arguments: args } }
}

const PARTIALS: ReadonlySet<string> = new Set(['render', 'include', 'theme_render_rc'])

function inlineText(value: Expression): Expression {
  if (value.kind === 'filtered' && value.filters.length === 0) return { ...value, input: inlineText(value.input) }
  if (value.kind !== 'literal' || value.value.type !== 'string') return value
  const text = value.value.value
  const children = inline.parseInline(text, {})[0]?.children ?? []
  // A text without marks of Markdown stays what it is, so that it can be printed with or without escaping.
  if (!children.some(({ type }) => MARKED.has(type))) return value
  return { ...value, value: { type: 'string', value: inline.renderer.renderInline(children, inline.options, {}) } }
}

const MARKED: ReadonlySet<string> = new Set(['code_inline', 'strong_open', 'em_open', 'link_open', 'image', 's_open'])
