/** Builds the tree from the flat run of items: blocks, branches, whitespace control, and words for what does not fit. */
import type { Report } from '../diagnostics/diagnostic.ts'
import { docSyntax } from '../diagnostics/codes/syntax/doc-syntax.ts'
import { mismatchedEnd } from '../diagnostics/codes/syntax/mismatched-end.ts'
import { nestingTooDeep } from '../diagnostics/codes/syntax/nesting-too-deep.ts'
import { strayBranch } from '../diagnostics/codes/syntax/stray-branch.ts'
import { unclosedTag } from '../diagnostics/codes/syntax/unclosed-tag.ts'
import { unknownTag } from '../diagnostics/codes/syntax/unknown-tag.ts'
import { BRANCHES, TAGS, TAGS_BY_NAME } from '../language.ts'
import type { Branch, NameNode, Node, TagNode } from '../model/ast.ts'
import type { Span } from '../source/span.ts'
import type { RawExtent } from '../syntax/raw.ts'
import { rawExtent, rawLinesExtent } from '../syntax/raw.ts'
import { BROKEN } from '../tags/broken.ts'
import type { Tag } from '../tags/tag.ts'
import { type TagPairs, pairsOf } from './pairs.ts'
import type { Item } from './parser.ts'

/** Blocks inside blocks, as the reference counts them. */
export const MAX_NESTING = 100

interface OpenBlock {
  readonly item: Item
  /** Null for one that the language does not have: its branches may be any. */
  readonly tag: Tag | null
  readonly written: NameNode
  readonly markup: unknown
  readonly leftover: Span | null
  readonly span: Span
  /** Offset of the liquid tag that the block was opened in, or -1. */
  readonly lines: number
  readonly body: Node[]
  /** Its own tag could not be read. */
  readonly dropped?: true
  readonly branches: { name: string; markup: unknown; leftover: Span | null; span: Span; body: Node[] }[]
}

export interface StructuredTemplate {
  readonly nodes: readonly Node[]
  readonly broken: boolean
}

export function structure(
  items: readonly Item[],
  text: string,
  span: (start: number, end: number) => Span,
  liquid: boolean,
  messageAt: (span: Span) => string,
  report: Pick<Report, 'add'>,
): StructuredTemplate {
  const root: Node[] = []
  const stack: OpenBlock[] = []
  let broken = false
  let tooDeep = false
  let found: TagPairs | null = null
  const pairs = () => {
    found ??= pairsOf(items, (start) => linesOf(text, start))
    return found
  }
  const add = (node: Node) => {
    const block = stack.at(-1)
    const into = block === undefined ? root : (block.branches.at(-1)?.body ?? block.body)
    into.push(node)
  }
  const refuse = (diagnostic: Parameters<Report['add']>[0]) => {
    broken = true
    report.add(diagnostic)
    add(brokenNode(diagnostic.message, diagnostic.span))
  }
  const close = (block: OpenBlock, end: number) => {
    stack.pop()
    if (!block.dropped) add(nodeOf(block, { file: block.span.file, start: block.span.start, end }))
  }
  const closeUnfinished = (until: (block: OpenBlock) => boolean) => {
    for (let block = stack.at(-1); block !== undefined && !until(block); block = stack.at(-1)) {
      const diagnostic = unclosedTag(block.span, block.written.name, bodyless(block.tag))
      broken = true
      report.add(diagnostic)
      stack.pop()
      // In front of the block, where it fails whatever the block's condition says.
      add(brokenNode(diagnostic.message, diagnostic.span))
      if (!block.dropped) add(nodeOf(block, block.span))
    }
  }

  for (const item of items) {
    if (item.kind === 'text') {
      const trimmed = trim(text, item.start, item.end)
      if (trimmed !== '') add({ kind: 'text', text: trimmed, span: span(item.start, item.end) })
      continue
    }
    if (item.kind === 'comment') continue
    if (item.kind === 'unterminated' || item.kind === 'bad-line') {
      broken = true
      const place = span(item.start, item.end)
      add(brokenNode(messageAt(place), place))
      continue
    }
    if (item.kind === 'output') {
      add({ kind: 'output', value: item.value, leftover: item.leftover, span: item.span })
      continue
    }
    if (item.kind === 'broken') {
      broken = true
      add(brokenNode(messageAt(item.span), item.span))
      // A block's body belongs to nothing that could be read, and goes with it up to its end.
      if (item.tag === null || item.tag.shape !== 'block' || item.written === null) continue
      stack.push({
        item,
        tag: item.tag,
        written: item.written,
        markup: null,
        leftover: null,
        span: item.span,
        lines: linesOf(text, item.start),
        body: [],
        branches: [],
        dropped: true,
      })
      continue
    }
    if (item.kind === 'raw' || item.kind === 'open-raw') {
      const node = rawNode(text, item.start, item.end, span)
      if (node === null) continue
      if (item.kind === 'open-raw') refuse(unclosedTag(node.span, node.name, null))
      // `doc` refuses words in its tag and another `doc` in its text.
      if (node.name === 'doc' && node.leftover !== null)
        refuse(
          docSyntax(
            node.leftover,
            text
              .slice(item.start, item.end)
              .split('%}')[0]
              ?.replace(/^\{%-?\s*doc\s*/, '')
              .trim() ?? '',
          ),
        )
      else if (node.name === 'doc' && /\{%-?\s*doc\b/.test(node.raw ?? '')) refuse(docSyntax(node.span, 'doc'))
      add(node)
      continue
    }
    const lines = linesOf(text, item.start)
    // A liquid tag ends what was opened in it.
    closeUnfinished((block) => block.lines === lines || block.lines < 0)
    if (item.kind === 'open') {
      const { tag, markup } = item
      const shape = typeof tag.shape === 'function' ? tag.shape(markup as never) : tag.shape
      const block: OpenBlock = {
        item,
        tag,
        written: item.written,
        markup,
        leftover: item.leftover,
        span: item.span,
        lines,
        body: [],
        branches: [],
      }
      if (tag.platform && liquid) {
        refuse(
          unknownTag(
            item.written.span,
            item.written.name,
            [...TAGS_BY_NAME.keys()].filter((name) => !TAGS_BY_NAME.get(name)?.platform),
            null,
          ),
        )
        if (shape === 'block') stack.push({ ...block, dropped: true })
        continue
      }
      if (shape !== 'block') {
        add(nodeOf(block, item.span))
        continue
      }
      if (stack.length >= MAX_NESTING && !tooDeep) {
        tooDeep = true
        refuse(nestingTooDeep(item.span, MAX_NESTING))
      }
      // Beyond the limit blocks are read and dropped, so that nothing that walks the tree runs out of stack.
      stack.push(stack.length > MAX_NESTING ? { ...block, dropped: true } : block)
    } else if (item.kind === 'branch') {
      const block = stack.at(-1)
      const misplaced = block === undefined || block.lines !== lines
      if (misplaced || (block.tag !== null && block.tag.branches?.[item.written.name] === undefined)) {
        refuse(strayBranch(item.written.span, item.written.name, BRANCHES.get(item.written.name) ?? []))
        continue
      }
      block.branches.push({
        name: item.written.name,
        markup: item.markup,
        leftover: item.leftover,
        span: item.span,
        body: [],
      })
    } else if (item.kind === 'end') {
      const name = item.written.name
      const matches = (block: OpenBlock) => name === `end${block.written.name}` && block.lines === lines
      if (stack.some(matches)) {
        const block = stack.at(-1) as OpenBlock
        if (!matches(block)) {
          refuse(mismatchedEnd(item.written.span, name, block.written.name, block.span, false))
          for (let inner = stack.at(-1) as OpenBlock; !matches(inner); inner = stack.at(-1) as OpenBlock)
            close(inner, item.span.start)
        }
        close(stack.at(-1) as OpenBlock, item.span.end)
      } else {
        const block = stack.at(-1)
        const known = TAGS.has(name.slice(3)) || TAGS_BY_NAME.has(name.slice(3))
        if (!known && block === undefined) refuse(unknownTag(item.written.span, name, TAGS_BY_NAME.keys(), null))
        else {
          // Where nothing else ends the block, this was meant to.
          const meant = block !== undefined && block.lines === lines && pairs().unclosed.has(block.item)
          refuse(mismatchedEnd(item.written.span, name, block?.written.name ?? null, block?.span ?? null, meant))
          if (meant) close(block, item.span.end)
        }
      }
    } else {
      const { written, span: whole, start } = item
      const end = pairs().closedAs.get(item) ?? null
      refuse(unknownTag(written.span, written.name, [...TAGS_BY_NAME.keys(), ...BRANCHES.keys(), 'liquid'], end))
      if (end === null) continue
      // Its body would be measured by the rules of another place, so it goes with the tag.
      stack.push({
        item,
        tag: TAGS_BY_NAME.get(end) ?? null,
        written: { name: end, span: written.span },
        markup: null,
        leftover: null,
        span: whole,
        lines: linesOf(text, start),
        body: [],
        branches: [],
        dropped: true,
      })
    }
  }
  closeUnfinished(() => false)
  return { nodes: root, broken }
}

/** How a tag that may have a body is written without one; null for others. */
function bodyless(tag: Tag | null): string | null {
  return tag !== null && typeof tag.shape === 'function' ? (tag.usage ?? null) : null
}

/** Stands where something could not be read. */
export function brokenNode(message: string, span: Span): TagNode {
  const written = { name: BROKEN, span }
  return {
    kind: 'tag',
    name: BROKEN,
    written,
    markup: { message },
    body: [],
    branches: [],
    leftover: null,
    span,
    whole: span,
    raw: null,
  }
}

function nodeOf(block: OpenBlock, whole: Span): TagNode {
  const branches: Branch[] = block.branches
  return {
    kind: 'tag',
    name: block.tag?.name ?? BROKEN,
    written: block.written,
    markup: block.markup,
    body: block.body,
    branches,
    leftover: block.leftover,
    span: block.span,
    whole,
    raw: null,
  }
}

function rawNode(text: string, start: number, end: number, span: (start: number, end: number) => Span): TagNode | null {
  const opener = /^(?:\{%-?\s*)?([A-Za-z_]\w*)/.exec(text.slice(start, Math.min(end, start + 200)))
  const name = opener?.[1]
  const tag = name === undefined ? undefined : TAGS.get(name)
  if (opener === null || name === undefined || tag?.raw === undefined) return null
  const inTags = text.startsWith('{%', start)
  const extent: RawExtent = (inTags
    ? rawExtent(text, start, name, tag.raw)
    : rawLinesExtent(text, start + name.length, end, name)) ?? {
    bodyStart: Math.min(end, start + opener[0].length),
    bodyEnd: end,
    end,
  }
  const nameEnd = start + opener[0].length
  const open = inTags ? text.slice(nameEnd, Math.max(nameEnd, extent.bodyStart - 2)).replace(/-$/, '') : ''
  let body = text.slice(extent.bodyStart, extent.bodyEnd)
  if (inTags && name !== 'raw' && text.startsWith('-%}', extent.bodyStart - 3)) body = trimStart(body)
  return {
    kind: 'tag',
    name,
    written: { name, span: span(nameEnd - name.length, nameEnd) },
    markup: undefined,
    body: [],
    branches: [],
    leftover: open.trim() === '' ? null : span(nameEnd, nameEnd + open.trimEnd().length),
    span: span(start, extent.bodyStart),
    whole: span(start, extent.end),
    raw: body,
  }
}

/** Offset of the liquid tag that a statement stands in; -1 for an ordinary tag. */
function linesOf(text: string, start: number): number {
  return text.startsWith('{%', start) ? -1 : text.lastIndexOf('{%', start)
}

/** A text between two tags or outputs, with white space cut where a dash asks for it. */
function trim(text: string, start: number, end: number): string {
  let result = text.slice(start, end)
  if (text.startsWith('-%}', start - 3) || text.startsWith('-}}', start - 3)) result = trimStart(result)
  if (text.startsWith('{%-', end) || text.startsWith('{{-', end)) result = trimEnd(result)
  return result
}

// Ruby's white space, not Unicode's.
function trimStart(text: string): string {
  return text.replace(/^[ \t\r\n\f\v\0]+/, '')
}

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n\f\v\0'.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
