/**
 * Reads the HTML of a template across its Liquid: which elements stand where, and which are opened in some branches only. It is
 * tolerant: what it does not understand is not reported.
 */
import type { Node, TagNode } from '../../../core/model/ast.ts'
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

/** A start tag. A value of null is not known: it holds Liquid. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string | null>
  /** What stands before the Liquid in a value. */
  readonly begins: ReadonlyMap<string, string>
  /** Liquid stands between the attributes, so that there may be others. */
  readonly dynamic: boolean
  /** From `<` to `>`. */
  readonly span: Span
}

export interface HtmlScan {
  readonly elements: readonly Element[]
  readonly unbalanced: readonly UnbalancedElement[]
  /** Values of attributes that go on over the end of their tag: their quote is missing. */
  readonly unclosed: readonly Span[]
  /** Quotes behind values that have their second one. */
  readonly surplus: readonly Span[]
  /** The beginnings of tags without their `>`. */
  readonly unended: readonly Span[]
  /** End tags with a space before their slash, which are texts. */
  readonly spaced: readonly Span[]
  /** What is open at the end is not known. */
  readonly lost: boolean
}

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Elements that hold text up to their end tag. */
const TEXT_ONLY: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'noscript',
  'template',
  'iframe',
  'xmp',
])

/** Those of a tag that has none. */
const NO_ATTRIBUTES: ReadonlyMap<string, string | null> = new Map()
const NO_BEGINS: ReadonlyMap<string, string> = new Map()

type ScanState =
  | { readonly at: 'text' }
  | { readonly at: 'comment' }
  /** Inside of an element that holds text only. */
  | { readonly at: 'raw'; readonly name: string }
  | TagState

/** Elements whose end tag may be left out: they are not reported. */
const OPTIONAL: ReadonlySet<string> = new Set(
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
  /** One branch ended inside of a tag and another did not, so that nothing is known of what follows. */
  lost = false

  readonly indentOf: IndentOf | null

  constructor(file: string, source: string, tags: ReadonlyMap<string, Tag>, indentOf: IndentOf | null = null) {
    this.file = file
    this.source = source
    this.tags = tags
    this.indentOf = indentOf
  }

  // ---- Liquid -----------------------------------------------------------------------------------------------------

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') this.text(node.text, offsetOf(node.text, node.span, this.source))
      else if (node.kind === 'output') this.printed(false)
      else this.tag(node)
    }
  }

  private tag(node: TagNode): void {
    const tag = this.tags.get(node.name)
    if (node.raw !== null) {
      // A comment prints nothing; the text of `raw` is printed as it stands.
      if (tag?.blank === undefined) this.text(node.raw, node.span.end)
      return
    }
    const bodies = [
      ...(node.body.length > 0 || node.branches.length === 0 ? [node.body] : []),
      ...node.branches.map((branch) => branch.body),
    ]
    if (bodies.every((body) => body.length === 0)) {
      if (tag?.blank !== true) this.printed(true)
      return
    }
    if (tag?.content === 'data') return
    if (tag?.content === 'kept') {
      const kept = new HtmlScanner(this.file, this.source, this.tags)
      kept.nodes(node.body)
      this.elements.push(...kept.elements)
      return
    }
    if (this.state.at === 'tag') {
      this.state.dynamic ||= this.state.phase !== 'value'
      this.printed(true)
    }
    this.branches(node, bodies)
  }

  private branches(node: TagNode, bodies: readonly (readonly Node[])[]): void {
    const outer = this.balance
    const before = this.state
    const balances: ElementBalance[] = []
    if (before.at === 'tag') {
      // All branches write their attributes into the same tables.
      before.attributes ??= new Map()
      before.begins ??= new Map()
    }
    for (const body of bodies) {
      this.balance = newBalance()
      this.state = before.at === 'tag' ? { ...before } : before
      this.nodes(body)
      balances.push(this.balance)
      if (this.state.at !== before.at) this.lost = true
    }
    this.balance = outer
    this.state = before.at === 'tag' && this.state.at === 'tag' ? { ...this.state, dynamic: true } : before
    const exhaustive = node.branches.at(-1)?.name === 'else' && node.name !== 'for'
    mergeBranches(outer, balances, exhaustive)
  }

  /** Something that Liquid prints. `between`: it may be whole attributes. */
  private printed(between: boolean): void {
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
    if (between && state.phase !== 'value') state.dynamic = true
  }

  // ---- HTML -------------------------------------------------------------------------------------------------------

  text(text: string, offset: number): void {
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
          const end = closingTag(text, state.name, at)
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
    // A name in Liquid (`<{{ tag }}>`) is not known.
    if (!/[a-zA-Z]/.test(text[name] ?? '')) {
      this.noteSpaced(text, open, offset)
      return open + 1
    }
    this.state = newTag(closing, offset + open)
    return name
  }

  /** An end tag with a space (`< /p>`) was meant as one: its element is told nowhere else. */
  private noteSpaced(text: string, open: number, offset: number): void {
    const [written = '', name = ''] = /^<[ \t]*\/[ \t]*([a-zA-Z][\w-]*)[ \t]*>/.exec(text.slice(open, open + 40)) ?? []
    if (written === '') return
    const span = { file: this.file, start: offset + open, end: offset + open + written.length }
    this.spaced.push(span)
    if (!OPTIONAL.has(name.toLowerCase())) closeElement(this.balance, { name: name.toLowerCase(), span }, this.indentOf)
  }

  private scanTag(state: TagState, text: string, from: number, offset: number): number {
    for (let at = from; at < text.length; at++) {
      const char = text.charAt(at)
      if (state.phase === 'value' && state.quote !== '') {
        const quote = text.indexOf(state.quote, at)
        const end = quote < 0 ? text.length : quote
        const value = text.slice(at, end)
        if (state.value !== null) state.value += value
        if (state.value !== '' || value !== '') this.noteOverrun(state, value, offset + at)
        at = end
        if (quote >= 0) {
          this.noteCut(state, text.slice(quote + 1, quote + 3), offset + quote)
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
        this.close(state, offset + at + 1)
        return at + 1
      }
      // A `<` in a tag: the tag before it never ended.
      if (char === '<' && state.phase !== 'value') {
        const isNamed = !state.unnamed || state.name.length > 2 || text.startsWith(`</${state.name}>`, at)
        if (isTagStart(text, at) && isNamed)
          this.unended.push({
            file: this.file,
            start: state.start,
            end: state.start + state.name.length + (state.closing ? 2 : 1),
          })
        this.state = { at: 'text' }
        this.lost = true
        return at
      }
      const isQuote = char === '"' || char === "'"
      if (isQuote && state.phase === 'between' && /["'}]/.test(text[at - 1] ?? '') && !state.dynamic)
        this.surplus.push({ file: this.file, start: offset + at, end: offset + at + 1 })
      readCharacter(state, char)
      if (state.phase === 'value' && state.quote === char && state.value === '') {
        state.quotedAt = offset + at
        state.endAt = null
      }
    }
    return text.length
  }

  /** Notes a value that holds the end of its tag and the beginning of another one: its quote is missing. */
  private noteOverrun(state: TagState, value: string, offset: number): void {
    if (HOLDS_CODE.test(state.attribute)) return
    const next = value.indexOf('<')
    if (state.endAt === null) {
      const end = value.indexOf('>')
      if (end < 0 || (next >= 0 && next < end) || /[=\s-]/.test(value[end - 1] ?? 'a')) return
      state.endAt = offset + end
    }
    const begins = next >= 0 && /^<\/?[a-z]/i.test(value.slice(next, next + 3))
    if (!begins && !/^>\s*\n/.test(value.slice(Math.max(0, state.endAt - offset)))) return
    this.lost = true
    if (this.unclosed.at(-1)?.start !== state.quotedAt)
      this.unclosed.push({ file: this.file, start: state.quotedAt, end: state.endAt })
  }

  /** Notes a value that ends where another one begins (`class="wide id="top"`): its quote is missing. */
  private noteCut(state: TagState, next: string, end: number): void {
    if (state.value === null || HOLDS_CODE.test(state.attribute) || !/\s[\w-]+=$/.test(state.value)) return
    if (/^(?:[\s>]|\/>)/.test(next)) return
    this.lost = true
    if (this.unclosed.at(-1)?.start !== state.quotedAt)
      this.unclosed.push({ file: this.file, start: state.quotedAt, end })
  }

  private close(state: TagState, end: number): void {
    const name = state.name.toLowerCase()
    if (state.unnamed || name === '') return
    const span = { file: this.file, start: state.start, end }
    if (state.closing) {
      if (!OPTIONAL.has(name) && !VOID.has(name)) closeElement(this.balance, { name, span }, this.indentOf)
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
    if (TEXT_ONLY.has(name) && !state.selfClosed) this.state = { at: 'raw', name }
    else if (!VOID.has(name) && !OPTIONAL.has(name) && !state.selfClosed) this.balance.stack.push({ name, span })
  }
}

function offsetOf(text: string, span: Span, source: string): number {
  // White space control may have taken something off at either end.
  return text.length === span.end - span.start ? span.start : Math.max(span.start, source.indexOf(text, span.start))
}

function isTagStart(text: string, at: number): boolean {
  return /^<\/?[a-zA-Z][\w-]*[\s/>]/.test(text.slice(at, at + 40))
}

const WORD = /[\w-]*/y

/** Where the characters end that names are made of. */
function wordEnd(text: string, from: number): number {
  WORD.lastIndex = from
  WORD.test(text)
  return WORD.lastIndex
}

/** Where the end tag of an element that holds text ends, or -1. */
function closingTag(text: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}\\s*>`, 'gi')
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

/** Attributes that hold code or HTML. */
const HOLDS_CODE = /^(?:on|x-|v-|@|:|data-|ng-|hx-|_|srcdoc|content|title|alt|placeholder)/i

/** The elements of a template, and what is not balanced in it. `tags` are the language's, by name. */
export function scanHtml(
  nodes: readonly Node[],
  file: string,
  source: string,
  tags: ReadonlyMap<string, Tag>,
): HtmlScan {
  const scanner = new HtmlScanner(file, source, tags)
  scanner.nodes(nodes)
  const lost = scanner.lost || scanner.state.at !== 'text'
  const { elements, unclosed, surplus, unended, spaced } = scanner
  const found = { elements, unclosed, surplus, unended, spaced, lost }
  const unbalanced = lost ? [] : unbalancedOf(scanner.balance)
  if (!unbalanced.some(({ missing }) => missing === 'end')) return { ...found, unbalanced }
  return { ...found, unbalanced: byLayout(nodes, file, source, tags, unbalanced) }
}

/** Which of several elements of a name has no end, as the lines are laid out. */
function byLayout(
  nodes: readonly Node[],
  file: string,
  source: string,
  tags: ReadonlyMap<string, Tag>,
  found: readonly UnbalancedElement[],
): readonly UnbalancedElement[] {
  const indentOf: IndentOf = ({ span }) => {
    const before = source.slice(source.lastIndexOf('\n', span.start - 1) + 1, span.start)
    return before.trim() === '' ? before.length : null
  }
  const scanner = new HtmlScanner(file, source, tags, indentOf)
  scanner.nodes(nodes)
  const again = unbalancedOf(scanner.balance)
  const shape = (all: readonly UnbalancedElement[]) => all.map((each) => `${each.missing} ${each.element}`).join()
  return shape(again) === shape(found) ? again : found
}

/** What is wrong with a text of HTML, as a part of a sentence; null for nothing. */
export function htmlProblem(text: string): string | null {
  if (!text.includes('<')) return null
  const scanner = new HtmlScanner('', text, new Map())
  scanner.text(text, 0)
  if (scanner.lost || scanner.state.at === 'tag') return 'a tag is not closed with `>`'
  if (scanner.state.at === 'comment') return 'a comment is never closed'
  if (scanner.state.at === 'raw') return `\`<${scanner.state.name}>\` is not closed`
  const [first] = unbalancedOf(scanner.balance)
  if (first === undefined) return null
  return first.missing === 'end' ? `\`<${first.element}>\` is not closed` : `\`</${first.element}>\` closes nothing`
}
