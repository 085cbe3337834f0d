/**
 * Reads the HTML of a template across its Liquid: which elements stand where, and which are opened on one way only. Tolerant:
 * what it does not understand it lets pass.
 */
import type { Node, TagNode } from '../../model/ast.ts'
import type { Span } from '../../source/span.ts'
import type { Tag } from '../../tags/tag.ts'

/** A start tag. A value of null is not known: it holds Liquid. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string | null>
  /** Liquid stands between the attributes, so that there may be others. */
  readonly dynamic: boolean
  /** From `<` to `>`. */
  readonly span: Span
}

/** An element that is not closed, or a closing tag without its element, on some way. */
export interface UnbalancedElement {
  readonly element: string
  readonly missing: 'end' | 'start'
  readonly span: Span
}

export interface HtmlScan {
  readonly elements: readonly Element[]
  readonly unbalanced: readonly UnbalancedElement[]
}

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Elements whose end may be left out: nothing is said of them. */
const OPTIONAL: ReadonlySet<string> = new Set(
  'html head body p li dt dd option optgroup thead tbody tfoot tr td th colgroup caption rt rp'.split(' '),
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

interface OpenElement {
  readonly name: string
  readonly span: Span
}

/** What a piece of a template leaves open, and what it closes that it did not open. */
interface ElementBalance {
  readonly stack: OpenElement[]
  readonly closes: OpenElement[]
  /** The same on some ways only. */
  readonly sometimesOpen: OpenElement[]
  readonly sometimesClosed: OpenElement[]
}

function newFrame(): ElementBalance {
  return { stack: [], closes: [], sometimesOpen: [], sometimesClosed: [] }
}

type ScanState =
  | { readonly at: 'text' }
  | { readonly at: 'comment' }
  /** Inside of an element that holds text only. */
  | { readonly at: 'raw'; readonly name: string }
  | TagState

interface TagState {
  readonly at: 'tag'
  readonly closing: boolean
  name: string
  readonly start: number
  readonly attributes: Map<string, string | null>
  dynamic: boolean
  /** The attribute that is being read: its name, then its value behind `=`. */
  attribute: string
  value: string | null
  quote: string
  phase: 'name' | 'between' | 'attribute' | 'equals' | 'value'
  selfClosed: boolean
  /** The name itself holds Liquid. */
  unnamed: boolean
}

class HtmlScanner {
  readonly file: string
  readonly elements: Element[] = []
  readonly tags: ReadonlyMap<string, Tag>
  readonly source: string
  mode: ScanState = { at: 'text' }
  frame: ElementBalance = newFrame()
  /** A way ended inside of a tag that another did not: nothing can be said of what follows. */
  lost = false

  constructor(file: string, source: string, tags: ReadonlyMap<string, Tag>) {
    this.file = file
    this.source = source
    this.tags = tags
  }

  // ---- Liquid -----------------------------------------------------------------------------------------------------

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') this.text(node.text, offsetOf(node.text, node.span, this.source))
      else if (node.kind === 'output') this.hole(false)
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
      if (tag?.blank !== true) this.hole(true)
      return
    }
    if (tag?.content === 'data') return
    if (tag?.content === 'kept') {
      const kept = new HtmlScanner(this.file, this.source, this.tags)
      kept.nodes(node.body)
      this.elements.push(...kept.elements)
      return
    }
    if (this.mode.at === 'tag') {
      this.mode.dynamic ||= this.mode.phase !== 'value'
      this.hole(true)
    }
    this.branches(node, bodies)
  }

  private branches(node: TagNode, bodies: readonly (readonly Node[])[]): void {
    const outer = this.frame
    const before = this.mode
    const frames: ElementBalance[] = []
    for (const body of bodies) {
      this.frame = newFrame()
      this.mode = before.at === 'tag' ? { ...before, attributes: before.attributes } : before
      this.nodes(body)
      frames.push(this.frame)
      if (this.mode.at !== before.at) this.lost = true
    }
    this.frame = outer
    this.mode = before.at === 'tag' && this.mode.at === 'tag' ? { ...this.mode, dynamic: true } : before
    const exhaustive = node.branches.at(-1)?.name === 'else' && node.name !== 'for'
    merge(outer, frames, exhaustive)
  }

  /** Something that Liquid prints. `between`: it may be attributes. */
  private hole(between: boolean): void {
    const { mode } = this
    if (mode.at !== 'tag') return
    if (mode.phase === 'value') mode.value = null
    else if (mode.phase === 'equals' && mode.value !== null) {
      mode.phase = 'value'
      mode.quote = ''
      mode.value = null
    } else if (mode.phase === 'name') mode.unnamed = true
    else mode.dynamic = true
    if (between && mode.phase !== 'value') mode.dynamic = true
  }

  // ---- HTML -------------------------------------------------------------------------------------------------------

  text(text: string, offset: number): void {
    let at = 0
    while (at < text.length) {
      const { mode } = this
      switch (mode.at) {
        case 'text':
          at = this.plain(text, at, offset)
          break
        case 'comment': {
          const end = text.indexOf('-->', at)
          at = end < 0 ? text.length : end + 3
          if (end >= 0) this.mode = { at: 'text' }
          break
        }
        case 'raw': {
          const end = closingTag(text, mode.name, at)
          at = end < 0 ? text.length : end
          if (end >= 0) this.mode = { at: 'text' }
          break
        }
        case 'tag':
          at = this.inTag(mode, text, at, offset)
      }
    }
  }

  private plain(text: string, at: number, offset: number): number {
    const open = text.indexOf('<', at)
    if (open < 0) return text.length
    if (text.startsWith('<!--', open)) {
      this.mode = { at: 'comment' }
      return open + 4
    }
    const closing = text[open + 1] === '/'
    const name = open + (closing ? 2 : 1)
    // A name in Liquid (`<{{ tag }}>`) is not known.
    if (!/[a-zA-Z]/.test(text[name] ?? '')) return open + 1
    this.mode = {
      at: 'tag',
      closing,
      name: '',
      start: offset + open,
      attributes: new Map(),
      dynamic: false,
      attribute: '',
      value: null,
      quote: '',
      phase: 'name',
      selfClosed: false,
      unnamed: false,
    }
    return name
  }

  private inTag(mode: TagState, text: string, from: number, offset: number): number {
    for (let at = from; at < text.length; at++) {
      const char = text[at] as string
      if (mode.phase === 'value' && mode.quote !== '') {
        if (char !== mode.quote) {
          if (mode.value !== null) mode.value += char
          continue
        }
        keep(mode)
        continue
      }
      if (char === '>') {
        if (mode.phase === 'value' || mode.phase === 'attribute' || mode.phase === 'equals') keep(mode)
        this.mode = { at: 'text' }
        this.close(mode, offset + at + 1)
        return at + 1
      }
      // A `<` in a tag: the tag before it never ended.
      if (char === '<' && mode.phase !== 'value') {
        this.mode = { at: 'text' }
        this.lost = true
        return at
      }
      step(mode, char)
    }
    return text.length
  }

  private close(mode: TagState, end: number): void {
    const name = mode.name.toLowerCase()
    if (mode.unnamed || name === '') return
    const span = { file: this.file, start: mode.start, end }
    if (mode.closing) {
      if (!OPTIONAL.has(name) && !VOID.has(name)) close(this.frame, { name, span })
      return
    }
    this.elements.push({ name, attributes: mode.attributes, dynamic: mode.dynamic, span })
    if (TEXT_ONLY.has(name) && !mode.selfClosed) this.mode = { at: 'raw', name }
    else if (!VOID.has(name) && !OPTIONAL.has(name) && !mode.selfClosed) this.frame.stack.push({ name, span })
  }
}

function offsetOf(text: string, span: Span, source: string): number {
  // White space control may have taken something off at either end.
  return text.length === span.end - span.start ? span.start : Math.max(span.start, source.indexOf(text, span.start))
}

/** Where the end tag of an element that holds text ends, or -1. */
function closingTag(text: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}\\s*>`, 'gi')
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

function keep(mode: TagState): void {
  if (mode.attribute !== '') mode.attributes.set(mode.attribute.toLowerCase(), mode.phase === 'value' ? mode.value : '')
  mode.attribute = ''
  mode.value = null
  mode.quote = ''
  mode.phase = 'between'
}

function step(mode: TagState, char: string): void {
  const space = char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f'
  if (!space && char !== '/') mode.selfClosed = false
  switch (mode.phase) {
    case 'name':
      if (space) mode.phase = 'between'
      else if (char === '/') mode.selfClosed = true
      else mode.name += char
      return
    case 'between':
      if (space) return
      if (char === '/') {
        mode.selfClosed = true
        return
      }
      mode.phase = 'attribute'
      mode.attribute = char
      return
    case 'attribute':
      if (char === '=') {
        mode.phase = 'equals'
        mode.value = ''
      } else if (space) mode.phase = 'equals'
      else if (char === '/') {
        keep(mode)
        mode.selfClosed = true
      } else mode.attribute += char
      return
    case 'equals':
      if (char === '=' || space) {
        if (char === '=') mode.value = ''
        return
      }
      // Without `=` the attribute has no value and another one begins.
      if (mode.value === null) {
        keep(mode)
        step(mode, char)
        return
      }
      mode.phase = 'value'
      if (char === '"' || char === "'") {
        mode.quote = char
        mode.value = ''
      } else mode.value = char
      return
    case 'value':
      if (space) keep(mode)
      else if (mode.value !== null) mode.value += char
  }
}

function close(frame: ElementBalance, tag: OpenElement): void {
  const at = frame.stack.findLastIndex((each) => each.name === tag.name)
  if (at < 0) {
    frame.closes.push(tag)
    return
  }
  // Whatever stands above was never closed, which the browser mends here.
  for (const left of frame.stack.splice(at).slice(1)) frame.sometimesOpen.push(left)
}

function names(tags: readonly OpenElement[]): string {
  return tags.map((each) => each.name).join(' ')
}

/** Takes over what the ways of a block leave: the same on every way, or something on some. */
function merge(outer: ElementBalance, frames: readonly ElementBalance[], exhaustive: boolean): void {
  const [first] = frames
  for (const frame of frames) {
    outer.sometimesOpen.push(...frame.sometimesOpen)
    outer.sometimesClosed.push(...frame.sometimesClosed)
  }
  if (first === undefined) return
  const alike = frames.every(
    (frame) => names(frame.stack) === names(first.stack) && names(frame.closes) === names(first.closes),
  )
  if (alike && exhaustive) {
    for (const tag of first.closes) close(outer, tag)
    outer.stack.push(...first.stack)
    return
  }
  for (const frame of frames) {
    // `</div><div>` begins a new one of what it ends.
    if (names(frame.stack) === names([...frame.closes].reverse())) continue
    outer.sometimesOpen.push(...frame.stack)
    outer.sometimesClosed.push(...frame.closes)
  }
}

/** The elements of a template, and what is not balanced in it. `tags` are the language's, by name. */
export function scanHtml(
  nodes: readonly Node[],
  file: string,
  source: string,
  tags: ReadonlyMap<string, Tag>,
): HtmlScan {
  const scanner = new HtmlScanner(file, source, tags)
  scanner.nodes(nodes)
  return {
    elements: scanner.elements,
    unbalanced: scanner.lost || scanner.mode.at !== 'text' ? [] : unbalancedOf(scanner.frame),
  }
}

function unbalancedOf(frame: ElementBalance): readonly UnbalancedElement[] {
  const opened = [...frame.stack, ...frame.sometimesOpen]
  const closed = [...frame.closes, ...frame.sometimesClosed]
  // One that is opened here and closed there, on whatever ways, is the author's business.
  const opens = new Set(opened.map((each) => each.name))
  const closes = new Set(closed.map((each) => each.name))
  return [
    ...opened
      .filter(({ name }) => !closes.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missing: 'end', span })),
    ...closed
      .filter(({ name }) => !opens.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missing: 'start', span })),
  ]
}

/** What is wrong with a text of HTML, as a part of a sentence; null for nothing. */
export function htmlProblem(text: string): string | null {
  if (!text.includes('<')) return null
  const scanner = new HtmlScanner('', text, new Map())
  scanner.text(text, 0)
  if (scanner.lost || scanner.mode.at === 'tag') return 'a tag is not closed with `>`'
  if (scanner.mode.at === 'comment') return 'a comment is never closed'
  if (scanner.mode.at === 'raw') return `\`<${scanner.mode.name}>\` is not closed`
  const [first] = unbalancedOf(scanner.frame)
  if (first === undefined) return null
  return first.missing === 'end' ? `\`<${first.element}>\` is not closed` : `\`</${first.element}>\` closes nothing`
}
