/**
 * Scans the HTML of a template, including markup that continues across Liquid tags. Finds the elements, and those that are open in some
 * branches only. The scanner is tolerant: markup that it cannot follow is not reported.
 */
import type { Node, TagNode } from '../../../core/tree/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Tag } from '../../../language/tags/tag.ts'
import {
  closeElement,
  type ElementBalance,
  type IndentOf,
  mergeBranches,
  newBalance,
  type UnbalancedElement,
  unbalancedOf,
} from './element-balance.ts'
import { finishAttribute, newTag, readCharacter, type TagState } from './html-tag.ts'

/** A start tag. An attribute value of null is unknown, because it contains Liquid. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string | null>
  /** The text before the Liquid in a value, by attribute. */
  readonly begins: ReadonlyMap<string, string>
  /** Whether the tag has Liquid between its attributes, which may print more attributes. */
  readonly dynamic: boolean
  /** The tag's place, from `<` to `>`. */
  readonly span: Span
}

export interface HtmlScan {
  readonly elements: readonly Element[]
  readonly unbalanced: readonly UnbalancedElement[]
  /** Attribute values that extend over the end of their tag, because their closing quote is missing. */
  readonly unclosed: readonly Span[]
  /** Quotes after an attribute value that is already closed. */
  readonly surplus: readonly Span[]
  /** The starts of tags without a `>`. */
  readonly unended: readonly Span[]
  /** End tags with a space before their slash, which browsers treat as text. */
  readonly spaced: readonly Span[]
  /** Whether the elements that are open at the end of the template are unknown. */
  readonly isLost: boolean
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Elements whose content is text up to their end tag. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'script style textarea title noscript template iframe xmp'.split(' '),
)

/** Shared by all tags without attributes. */
const NO_ATTRIBUTES: ReadonlyMap<string, string | null> = new Map()
const NO_BEGINS: ReadonlyMap<string, string> = new Map()

type ScanState =
  | { readonly at: 'text' }
  | { readonly at: 'comment' }
  /** Inside of an element whose content is text. */
  | { readonly at: 'raw'; readonly name: string }
  | TagState

/** Elements whose end tag is optional. They are not reported. */
const OPTIONAL_END_TAG: ReadonlySet<string> = new Set(
  'html head body p li dt dd option optgroup thead tbody tfoot tr td th colgroup caption rt rp'.split(' '),
)

class HtmlScanner {
  readonly file: string
  readonly elements: Element[] = []
  readonly unclosed: Span[] = []
  readonly surplus: Span[] = []
  readonly unended: Span[] = []
  readonly spaced: Span[] = []
  readonly tags: ReadonlyMap<string, Tag>
  readonly source: string
  state: ScanState = { at: 'text' }
  balance: ElementBalance = newBalance()
  /** Whether the rest of the file cannot be followed, because a branch ended in another state than it started in, or a tag is broken. */
  isLost = false

  readonly indentOf: IndentOf | null

  constructor(file: string, source: string, tags: ReadonlyMap<string, Tag>, indentOf: IndentOf | null = null) {
    this.file = file
    this.source = source
    this.tags = tags
    this.indentOf = indentOf
  }

  // ---- Liquid -----------------------------------------------------------------------------------------------------

  scanNodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') this.scanMarkup(node.text, offsetOf(node.text, node.span, this.source))
      else if (node.kind === 'output') this.handleOutput(false)
      else this.scanLiquidTag(node)
    }
  }

  private scanLiquidTag(node: TagNode): void {
    const tag = this.tags.get(node.name)
    if (node.raw !== null) {
      // A comment prints nothing; the text of `raw` is printed as is.
      if (tag?.blank === undefined) this.scanMarkup(node.raw, node.span.end)
      return
    }
    const bodies = [
      ...(node.body.length > 0 || node.branches.length === 0 ? [node.body] : []),
      ...node.branches.map((branch) => branch.body),
    ]
    if (bodies.every((body) => body.length === 0)) {
      if (tag?.blank !== true) this.handleOutput(true)
      return
    }
    if (tag?.content === 'data') return
    if (tag?.content === 'kept') {
      const captureScanner = new HtmlScanner(this.file, this.source, this.tags)
      captureScanner.scanNodes(node.body)
      this.elements.push(...captureScanner.elements)
      return
    }
    if (this.state.at === 'tag') {
      this.state.dynamic ||= this.state.phase !== 'value'
      this.handleOutput(true)
    }
    this.scanBranches(node, bodies)
  }

  private scanBranches(node: TagNode, bodies: readonly (readonly Node[])[]): void {
    const outer = this.balance
    const before = this.state
    const balances: ElementBalance[] = []
    if (before.at === 'tag') {
      // The maps are created first, so that all branches add their attributes to the same maps.
      before.attributes ??= new Map()
      before.begins ??= new Map()
    }
    for (const body of bodies) {
      this.balance = newBalance()
      this.state = before.at === 'tag' ? { ...before } : before
      this.scanNodes(body)
      balances.push(this.balance)
      if (this.state.at !== before.at) this.isLost = true
    }
    this.balance = outer
    this.state = before.at === 'tag' && this.state.at === 'tag' ? { ...this.state, dynamic: true } : before
    const isExhaustive = node.branches.at(-1)?.name === 'else' && node.name !== 'for'
    mergeBranches(outer, balances, isExhaustive)
  }

  /** Handles Liquid that prints. `mayPrintAttributes`: it may print whole attributes. */
  private handleOutput(mayPrintAttributes: boolean): void {
    const { state } = this
    if (state.at !== 'tag') return
    if (state.phase === 'value') {
      if (state.value !== null && state.value !== '')
        (state.begins ??= new Map()).set(state.attribute.toLowerCase(), state.value)
      state.value = null
    } else if (state.phase === 'equals' && state.value !== null) {
      state.phase = 'value'
      state.quote = ''
      state.value = null
    } else if (state.phase === 'name') state.unnamed = true
    else state.dynamic = true
    if (mayPrintAttributes && state.phase !== 'value') state.dynamic = true
  }

  // ---- HTML -------------------------------------------------------------------------------------------------------

  scanMarkup(text: string, offset: number): void {
    let at = 0
    while (at < text.length) {
      const { state } = this
      switch (state.at) {
        case 'text':
          at = this.scanText(text, at, offset)
          break
        case 'comment': {
          const end = text.indexOf('-->', at)
          at = end < 0 ? text.length : end + 3
          if (end >= 0) this.state = { at: 'text' }
          break
        }
        case 'raw': {
          const end = endTagEnd(text, state.name, at)
          at = end < 0 ? text.length : end
          if (end >= 0) this.state = { at: 'text' }
          break
        }
        case 'tag':
          at = this.scanTag(state, text, at, offset)
      }
    }
  }

  private scanText(text: string, at: number, offset: number): number {
    const open = text.indexOf('<', at)
    if (open < 0) return text.length
    if (text.startsWith('<!--', open)) {
      this.state = { at: 'comment' }
      return open + 4
    }
    const closing = text[open + 1] === '/'
    const name = open + (closing ? 2 : 1)
    // The name is unknown if Liquid prints it (`<{{ tag }}>`).
    if (!/[a-zA-Z]/.test(text[name] ?? '')) {
      this.recordSpacedEnd(text, open, offset)
      return open + 1
    }
    this.state = newTag(closing, offset + open)
    return name
  }

  /** Records an end tag with a space (`< /p>`) and closes its element, so that the mistake is reported only once. */
  private recordSpacedEnd(text: string, open: number, offset: number): void {
    const [writtenText = '', name = ''] =
      /^<[ \t]*\/[ \t]*([a-zA-Z][\w-]*)[ \t]*>/.exec(text.slice(open, open + 40)) ?? []
    if (writtenText === '') return
    const span = this.spanAt(offset + open, writtenText.length)
    this.spaced.push(span)
    if (!OPTIONAL_END_TAG.has(name.toLowerCase()))
      closeElement(this.balance, { name: name.toLowerCase(), span }, this.indentOf)
  }

  private scanTag(state: TagState, text: string, from: number, offset: number): number {
    for (let at = from; at < text.length; at++) {
      const char = text.charAt(at)
      if (state.phase === 'value' && state.quote !== '') {
        const quote = text.indexOf(state.quote, at)
        const end = quote < 0 ? text.length : quote
        const value = text.slice(at, end)
        if (state.value !== null) state.value += value
        if (state.value !== '' || value !== '') this.recordOverrun(state, value, offset + at)
        at = end
        if (quote >= 0) {
          this.recordCutValue(state, text.slice(quote + 1, quote + 3), offset + quote)
          finishAttribute(state)
        }
        continue
      }
      if (state.phase === 'name' || state.phase === 'attribute') {
        const end = wordEnd(text, at)
        if (end > at) {
          state[state.phase] += text.slice(at, end)
          state.selfClosed = false
          at = end - 1
          continue
        }
      }
      if (char === '>') {
        if (state.phase === 'value' || state.phase === 'attribute' || state.phase === 'equals') finishAttribute(state)
        this.state = { at: 'text' }
        this.finishTag(state, offset + at + 1)
        return at + 1
      }
      // A `<` in a tag means that the tag has no `>`.
      if (char === '<' && state.phase !== 'value') {
        const isNamed = !state.unnamed || state.name.length > 2 || text.startsWith(`</${state.name}>`, at)
        if (isTagStart(text, at) && isNamed)
          this.unended.push(this.spanAt(state.start, state.name.length + (state.closing ? 2 : 1)))
        this.state = { at: 'text' }
        this.isLost = true
        return at
      }
      const isQuote = char === '"' || char === "'"
      if (isQuote && state.phase === 'between' && /["'}]/.test(text[at - 1] ?? '') && !state.dynamic)
        this.surplus.push(this.spanAt(offset + at, 1))
      readCharacter(state, char)
      if (state.phase === 'value' && state.quote === char && state.value === '') {
        state.quotedAt = offset + at
        state.endAt = null
      }
    }
    return text.length
  }

  /** Records a value that contains the end of its tag and the start of another one, because its closing quote is missing. */
  private recordOverrun(state: TagState, value: string, offset: number): void {
    if (CODE_ATTRIBUTE.test(state.attribute)) return
    const next = value.indexOf('<')
    if (state.endAt === null) {
      const end = value.indexOf('>')
      if (end < 0 || (next >= 0 && next < end) || /[=\s-]/.test(value[end - 1] ?? 'a')) return
      state.endAt = offset + end
    }
    const begins = next >= 0 && /^<\/?[a-z]/i.test(value.slice(next, next + 3))
    if (!begins && !/^>\s*\n/.test(value.slice(Math.max(0, state.endAt - offset)))) return
    this.recordUnclosed(state, state.endAt)
  }

  /** Records a value that ends where another one begins (`class="wide id="top"`), because its closing quote is missing. */
  private recordCutValue(state: TagState, next: string, end: number): void {
    if (state.value === null || CODE_ATTRIBUTE.test(state.attribute) || !/\s[\w-]+=$/.test(state.value)) return
    if (/^(?:[\s>]|\/>)/.test(next)) return
    this.recordUnclosed(state, end)
  }

  /** Records a value without its closing quote, which makes the rest of the file unclear. */
  private recordUnclosed({ quotedAt }: TagState, end: number): void {
    this.isLost = true
    if (this.unclosed.at(-1)?.start !== quotedAt) this.unclosed.push(this.spanAt(quotedAt, end - quotedAt))
  }

  private spanAt(start: number, length: number): Span {
    return { file: this.file, start, end: start + length }
  }

  private finishTag(state: TagState, end: number): void {
    const name = state.name.toLowerCase()
    if (state.unnamed || name === '') return
    const span = this.spanAt(state.start, end - state.start)
    if (state.closing) {
      if (!OPTIONAL_END_TAG.has(name) && !VOID_ELEMENTS.has(name))
        closeElement(this.balance, { name, span }, this.indentOf)
      return
    }
    const { attributes, begins } = state
    this.elements.push({
      name,
      attributes: attributes ?? NO_ATTRIBUTES,
      begins: begins ?? NO_BEGINS,
      dynamic: state.dynamic,
      span,
    })
    if (TEXT_ELEMENTS.has(name) && !state.selfClosed) this.state = { at: 'raw', name }
    else if (!VOID_ELEMENTS.has(name) && !OPTIONAL_END_TAG.has(name) && !state.selfClosed)
      this.balance.stack.push({ name, span })
  }
}

/** Returns the offset of a text node in the source. */
function offsetOf(text: string, span: Span, source: string): number {
  // Whitespace control may have trimmed either end of the text.
  return text.length === span.end - span.start ? span.start : Math.max(span.start, source.indexOf(text, span.start))
}

function isTagStart(text: string, at: number): boolean {
  return /^<\/?[a-zA-Z][\w-]*[\s/>]/.test(text.slice(at, at + 40))
}

const WORD = /[\w-]*/y

/** Returns the end of the name that starts at `from`; `from` itself if there is none. */
function wordEnd(text: string, from: number): number {
  WORD.lastIndex = from
  WORD.test(text)
  return WORD.lastIndex
}

/** Returns the end of the next end tag of a name, or -1. */
function endTagEnd(text: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}\\s*>`, 'gi')
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? -1 : match.index + match[0].length
}

/** Attributes whose values may contain code, HTML or prose. */
const CODE_ATTRIBUTE = /^(?:on|x-|v-|@|:|data-|ng-|hx-|_|srcdoc|content|title|alt|placeholder)/i

/** Returns the elements of a template and its markup mistakes. `tags`: the tags of the language, by name. */
export function scanHtml(
  nodes: readonly Node[],
  file: string,
  source: string,
  tags: ReadonlyMap<string, Tag>,
): HtmlScan {
  const scanner = new HtmlScanner(file, source, tags)
  scanner.scanNodes(nodes)
  const isLost = scanner.isLost || scanner.state.at !== 'text'
  const { elements, unclosed, surplus, unended, spaced } = scanner
  const found = { elements, unclosed, surplus, unended, spaced, isLost }
  const unbalanced = isLost ? [] : unbalancedOf(scanner.balance)
  if (!unbalanced.some(({ missingTag }) => missingTag === 'end')) return { ...found, unbalanced }
  return { ...found, unbalanced: matchByIndentation(nodes, file, source, tags, unbalanced) }
}

/** Uses the indentation to find which of several elements of the same name has no end tag. */
function matchByIndentation(
  nodes: readonly Node[],
  file: string,
  source: string,
  tags: ReadonlyMap<string, Tag>,
  found: readonly UnbalancedElement[],
): readonly UnbalancedElement[] {
  const indentOf: IndentOf = ({ span }) => {
    const textBefore = source.slice(source.lastIndexOf('\n', span.start - 1) + 1, span.start)
    return textBefore.trim() === '' ? textBefore.length : null
  }
  const scanner = new HtmlScanner(file, source, tags, indentOf)
  scanner.scanNodes(nodes)
  const rescanned = unbalancedOf(scanner.balance)
  const summarize = (all: readonly UnbalancedElement[]) =>
    all.map((each) => `${each.missingTag} ${each.element}`).join()
  return summarize(rescanned) === summarize(found) ? rescanned : found
}

/** Returns the first problem of an HTML text, as a part of a sentence; null if there is none. */
export function htmlProblem(text: string): string | null {
  if (!text.includes('<')) return null
  const scanner = new HtmlScanner('', text, new Map())
  scanner.scanMarkup(text, 0)
  if (scanner.isLost || scanner.state.at === 'tag') return 'a tag is not closed with `>`'
  if (scanner.state.at === 'comment') return 'a comment is never closed'
  if (scanner.state.at === 'raw') return `\`<${scanner.state.name}>\` is not closed`
  const [first] = unbalancedOf(scanner.balance)
  if (first === undefined) return null
  return first.missingTag === 'end' ? `\`<${first.element}>\` is not closed` : `\`</${first.element}>\` closes nothing`
}
