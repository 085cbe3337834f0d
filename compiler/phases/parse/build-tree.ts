/** Builds the tree from the flat list of items: blocks, branches and whitespace control. Reports items that do not fit. */
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { docSyntax } from '../../core/diagnostics/codes/syntax/doc-syntax.ts'
import { mismatchedEnd } from '../../core/diagnostics/codes/syntax/mismatched-end.ts'
import { nestingTooDeep } from '../../core/diagnostics/codes/syntax/nesting-too-deep.ts'
import { strayBranch } from '../../core/diagnostics/codes/syntax/stray-branch.ts'
import { unclosedDelimiter } from '../../core/diagnostics/codes/syntax/unclosed-delimiter.ts'
import { unreachableCode } from '../../core/diagnostics/codes/values/unreachable-code.ts'
import { unclosedTag } from '../../core/diagnostics/codes/syntax/unclosed-tag.ts'
import { unknownTag } from '../../core/diagnostics/codes/syntax/unknown-tag.ts'
import { syntaxError } from '../../core/diagnostics/codes/syntax/syntax-error.ts'
import { distance } from '../../core/diagnostics/suggest.ts'
import { findForeignTag } from '../../core/diagnostics/foreign-names.ts'
import type { Language } from '../../language/language.ts'
import type { NameNode, Node, TagNode } from '../../core/tree/ast.ts'
import { shareList } from '../../core/model/shared-values.ts'
import type { Span } from '../../core/source/span.ts'
import type { RawExtent } from '../../language/syntax/raw.ts'
import { rawExtent, rawLinesExtent, unclosedIn } from '../../language/syntax/raw.ts'
import { BROKEN } from '../../language/tags/broken.ts'
import type { Tag } from '../../language/tags/tag.ts'
import { TagIndex } from './tag-index.ts'
import { withMessage } from './base/base-items.ts'
import { MESSAGES, formatMessage } from './base/reference-messages.ts'
import { type TagPairs, pairTags } from './tag-pairs.ts'
import { brokenNode } from './broken-node.ts'
import type { Item } from './item.ts'
import { belongsBefore, findUnclosedByLayout, type TextSection, findSurplusEndByLayout } from './layout.ts'
import { trimBetweenTags, trimStart } from './trim.ts'
import { bodylessUsage, FOREIGN_END_TAGS, allowsOneElse, strayTagMessage, docTagText } from './stray-tags.ts'

/** Maximum depth of nested blocks, as in the reference implementation. */
export const MAX_NESTING = 100
/** Maximum number of branches of one block. Each branch is emitted inside the branch before it. */
const MAX_BRANCHES = 1_000

interface OpenBlock {
  readonly item: Item
  /** The block's tag; null for an unknown tag, which accepts any branch. */
  readonly tag: Tag | null
  readonly writtenName: NameNode
  readonly markup: unknown
  readonly leftoverSpan: Span | null
  readonly span: Span
  /** The offset of the `liquid` tag that contains the block, or -1 outside of such a tag. */
  readonly lines: number
  readonly body: Node[]
  /** The part of the block that the tree keeps if its own tag cannot be parsed. If undefined, the tree keeps the whole block. */
  readonly keptPart?: 'nothing' | 'body'
  readonly branches: { name: string; markup: unknown; leftoverSpan: Span | null; span: Span; body: Node[] }[]
}

interface StructuredTemplate {
  readonly nodes: readonly Node[]
  readonly isBroken: boolean
}

interface StructureInput {
  readonly items: readonly Item[]
  readonly text: string
  /** Returns the span between two offsets of the text. */
  readonly spanAt: (start: number, end: number) => Span
  readonly language: Language
  /** Whether the dialect is base Liquid, which lacks tags of the platform. */
  readonly isLiquid: boolean
  /** Returns what was reported about markup that could not be parsed; null if nothing was. */
  readonly diagnosticAt: (span: Span) => Diagnostic | null
  readonly report: Pick<Report, 'add'>
}

export function buildTree(input: StructureInput): StructuredTemplate {
  return new TreeBuilder(input).build()
}

type ItemOf<Kind extends Item['kind']> = Extract<Item, { readonly kind: Kind }>

class TreeBuilder {
  readonly #input: StructureInput
  readonly #language: Language
  readonly #root: Node[] = []
  readonly #open: OpenBlock[] = []
  #broken = false
  #reportedDepth = false
  readonly #crowded = new Set<OpenBlock>()
  #pairs: TagPairs | null = null
  #openings: TagIndex | null = null

  constructor(input: StructureInput) {
    this.#input = input
    this.#language = input.language
  }

  build(): StructuredTemplate {
    for (const item of this.#input.items) this.#item(item)
    this.#closeUnfinished(() => false, this.#input.text.length)
    return { nodes: shareList(this.#root), isBroken: this.#broken }
  }

  #item(item: Item): void {
    switch (item.kind) {
      case 'text':
        return this.#text(item)
      case 'comment':
        return
      case 'output':
        return this.#add({ kind: 'output', value: item.value, leftoverSpan: item.leftoverSpan, span: item.span })
      case 'unterminated':
        this.#unreadable(this.#input.spanAt(item.start, item.end))
        return this.#closeWithin(item)
      case 'bad-line':
        return this.#unreadable(this.#input.spanAt(item.start, item.end))
      case 'broken':
        return this.#brokenTag(item)
      case 'raw':
      case 'open-raw':
        return this.#rawTag(item)
      default:
        return this.#statement(item)
    }
  }

  /** Handles a tag that can open a block, begin a branch or close a block. */
  #statement(item: ItemOf<'open' | 'branch' | 'end' | 'unknown'>): void {
    const lines = this.#liquidTagAround(item.start)
    // The end of a liquid tag closes the blocks opened in it.
    this.#closeUnfinished((block) => block.lines === lines || block.lines < 0, item.start)
    switch (item.kind) {
      case 'open':
        return this.#openTag(item, lines)
      case 'branch':
        return this.#branch(item, lines)
      case 'end':
        return this.#end(item, lines)
      case 'unknown':
        return this.#unknownTag(item, lines)
    }
  }

  // ---- the tree -----------------------------------------------------------------------------------------------------

  #add(node: Node): void {
    const block = this.#open.at(-1)
    const into = block === undefined ? this.#root : (block.branches.at(-1)?.body ?? block.body)
    into.push(node)
  }

  #unreadable(span: Span): void {
    this.#broken = true
    this.#add(brokenNode(this.#input.diagnosticAt(span), span))
  }

  /** Reports a diagnostic. `reference` replaces the message in base Liquid. */
  #refuse(diagnostic: Diagnostic, reference: string): void {
    this.#broken = true
    const reported = this.#input.isLiquid ? withMessage(diagnostic, reference) : diagnostic
    this.#input.report.add(reported)
    this.#add(brokenNode(reported, reported.span))
  }

  #close(block: OpenBlock, end: number): void {
    this.#open.pop()
    if (block.keptPart === undefined) this.#add(nodeOf(block, { file: block.span.file, start: block.span.start, end }))
    else if (block.keptPart === 'body')
      for (const node of [...block.body, ...block.branches.flatMap(({ body }) => body)]) this.#add(node)
  }

  /** Closes unfinished blocks and reports their missing ends. `at` is the offset where the parser notices them. */
  #closeUnfinished(until: (block: OpenBlock) => boolean, at: number): void {
    for (let block = this.#open.at(-1); block !== undefined && !until(block); block = this.#open.at(-1)) {
      this.#open.pop()
      // The reference implementation notices a missing end only at the end of the text, but stops at the first error.
      if (this.#input.isLiquid && this.#broken) continue
      // The error node precedes the block, so that it fails even if the block's condition is false.
      this.#refuse(this.#unclosed(block, at), formatMessage.neverClosed(block.writtenName.name))
      if (block.keptPart === undefined) this.#add(nodeOf(block, block.span))
    }
  }

  /** Returns the diagnostic of a block without an end. In base Liquid, it is where the reference implementation stops. */
  #unclosed({ span, writtenName, tag, lines }: OpenBlock, at: number): Diagnostic {
    const oddItem = this.#input.isLiquid ? null : findUnclosedByLayout(writtenName.name, this.#stretch(0, at, lines))
    const diagnostic = unclosedTag(
      oddItem !== null && 'span' in oddItem ? oddItem.span : span,
      writtenName.name,
      bodylessUsage(tag),
    )
    if (!this.#input.isLiquid) return diagnostic
    return { ...diagnostic, span: this.#input.spanAt(at, at), related: [{ span, message: 'The block opens here.' }] }
  }

  /** Returns the offset of the liquid tag that contains a statement; -1 for an ordinary tag. */
  #liquidTagAround(start: number): number {
    this.#openings ??= new TagIndex(this.#input.text)
    return this.#openings.tagAround(start)
  }

  #tagPairs(): TagPairs {
    this.#pairs ??= pairTags(this.#input.items, (start) => this.#liquidTagAround(start))
    return this.#pairs
  }

  /** Closes blocks whose end tags are inside markup without one of its delimiters. */
  #closeWithin({ start, end }: ItemOf<'unterminated'>): void {
    if (this.#input.isLiquid) return
    const endsInside: string[] = []
    for (const [, word = ''] of this.#input.text.slice(start, end).matchAll(/\{%-?\s*(\w+)/g)) {
      const block = this.#open.at(-1)
      const isEnd = word.startsWith('end')
      if (!isEnd && this.#language.tagsByName.get(word)?.shape === 'block') endsInside.push(word)
      else if (isEnd && endsInside.at(-1) === word.slice(3)) endsInside.pop()
      else if (isEnd && block?.writtenName.name === word.slice(3) && block.lines < 0) this.#close(block, end)
    }
  }

  // ---- items --------------------------------------------------------------------------------------------------------

  #text({ start, end }: ItemOf<'text'>): void {
    const text = trimBetweenTags(this.#input.text, start, end)
    if (text !== '') this.#add({ kind: 'text', text, span: this.#input.spanAt(start, end) })
  }

  /** Adds an item that cannot be parsed. If the item opens a block, the block's body is dropped. */
  #brokenTag(item: ItemOf<'broken'>): void {
    this.#unreadable(item.span)
    const { tag, writtenName } = item
    if (tag === null || tag.shape !== 'block' || writtenName === null) return
    this.#open.push({ ...openBlock(item, tag, writtenName, this.#liquidTagAround(item.start)), keptPart: 'nothing' })
  }

  #rawTag({ kind, start, end }: ItemOf<'raw' | 'open-raw'>): void {
    const { text, isLiquid } = this.#input
    const node = rawNode(text, start, end, this.#input)
    if (node === null) return
    // A `doc` tag must not contain words after its name, and its text must not contain another `doc` tag.
    if (node.name === 'doc' && node.leftoverSpan !== null)
      this.#refuse(docSyntax(node.leftoverSpan, docTagText(text.slice(start, end))), MESSAGES.doc)
    else if (node.name === 'doc' && /\{%-?\s*doc\b/.test(node.raw ?? ''))
      this.#refuse(docSyntax(node.span, 'doc'), MESSAGES.nestedDoc)
    else if (node.name === 'raw' && node.leftoverSpan !== null && isLiquid)
      this.#refuse(syntaxError(node.leftoverSpan, '', 'the end of the tag'), MESSAGES.raw)
    else if (kind === 'open-raw') {
      const inner = text.startsWith('{%', start) ? unclosedIn(text, start, node.name) : node.name
      this.#refuse(this.#unclosedRaw(node, start, end), formatMessage.neverClosed(inner))
    }
    this.#add(node)
  }

  /** Reports a raw block without an end tag, or with an end tag that lacks its delimiter. */
  #unclosedRaw({ name, span }: TagNode, start: number, end: number): Diagnostic {
    const { text, isLiquid, spanAt } = this.#input
    const match = isLiquid ? null : new RegExp(`\\{%-?\\s*end${name}\\b[^%\\n]*`).exec(text.slice(start, end))
    if (match === null) return unclosedTag(span, name, null)
    const at = start + match.index
    return unclosedDelimiter(
      spanAt(at, at + match[0].trimEnd().length),
      '{%',
      match[0].trimEnd().endsWith('}') ? '}' : null,
    )
  }

  #openTag(item: ItemOf<'open'>, lines: number): void {
    const { tag, writtenName, markup } = item
    const isBlock = (typeof tag.shape === 'function' ? tag.shape(markup) : tag.shape) === 'block'
    const block = openBlock(item, tag, writtenName, lines)
    if (tag.platform && this.#input.isLiquid) {
      const unknown = unknownTag(writtenName.span, writtenName.name, [], null, 'liquid')
      const hint = unknown.hint ?? `\`${writtenName.name}\` is a tag of the platform's dialect.`
      this.#refuse({ ...unknown, hint }, formatMessage.unknownTag(writtenName.name))
      // Otherwise, an unknown tag may be one without a body.
      if (isBlock && !this.#tagPairs().unclosed.has(item))
        this.#open.push({ ...block, keptPart: findForeignTag(writtenName.name) === null ? 'nothing' : 'body' })
    } else if (isBlock) this.#openBlock(block)
    else this.#add(nodeOf(block, item.span))
  }

  #openBlock(block: OpenBlock): void {
    if (this.#open.length >= MAX_NESTING && !this.#reportedDepth) {
      this.#reportedDepth = true
      this.#refuse(nestingTooDeep(block.span, MAX_NESTING), MESSAGES.nesting)
    }
    // Blocks beyond the limit are parsed and dropped, so that recursive walks of the tree do not overflow the stack.
    this.#open.push(this.#open.length > MAX_NESTING ? { ...block, keptPart: 'nothing' } : block)
  }

  #branch(item: ItemOf<'branch'>, lines: number): void {
    const { writtenName, markup, leftoverSpan, span, refusal } = item
    this.#closeBefore(item, lines)
    const block = this.#open.at(-1)
    const isMisplaced = block === undefined || block.lines !== lines
    if (isMisplaced || (block.tag !== null && block.tag.branches?.[writtenName.name] === undefined))
      this.#refuse(
        strayBranch(writtenName.span, writtenName.name, this.#language.branches.get(writtenName.name) ?? []),
        strayTagMessage(writtenName.name, isMisplaced ? null : block.writtenName.name, lines),
      )
    else if (leftoverSpan !== null && writtenName.name === 'else' && block.tag?.name === 'case' && this.#input.isLiquid)
      this.#refuse(syntaxError(leftoverSpan, '', 'the end of the tag'), MESSAGES.caseElse)
    else if (refusal !== undefined) this.#refuse(refusal, refusal.message)
    else if (block.branches.length >= MAX_BRANCHES) this.#tooManyBranches(block, span)
    else {
      const last = block.branches.at(-1)
      if (last?.name === 'else' && allowsOneElse(block.tag) && !this.#input.isLiquid)
        this.#input.report.add(unreachableCode(writtenName.span, 'else', last.span))
      block.branches.push({ name: writtenName.name, markup, leftoverSpan, span, body: [] })
    }
  }

  /** Closes unfinished blocks between a branch and the block it belongs to. */
  #closeBefore({ writtenName, start }: ItemOf<'branch'>, lines: number): void {
    const acceptsBranch = ({ tag, lines: own }: OpenBlock) =>
      own === lines && tag?.branches?.[writtenName.name] !== undefined
    const outer = this.#open.findLast(acceptsBranch)
    const innermost = this.#open.at(-1)
    if (outer === undefined || innermost === undefined || acceptsBranch(innermost) || this.#input.isLiquid) return
    const between = this.#open.slice(this.#open.indexOf(outer) + 1)
    const { unclosed } = this.#tagPairs()
    if (between.some((each) => each.lines !== lines || !unclosed.has(each.item))) return
    this.#refuse(this.#lacksItsEnd(innermost, this.#stretch(outer.item.start, start, lines), writtenName), '')
    for (const block of between.toReversed()) this.#close(block, start)
  }

  /** Reports the first branch beyond the limit. The content of such branches follows the error in the last branch, so it is never rendered. */
  #tooManyBranches(block: OpenBlock, span: Span): void {
    if (this.#crowded.has(block)) return
    this.#crowded.add(block)
    this.#refuse(nestingTooDeep(span, MAX_BRANCHES), MESSAGES.nesting)
  }

  #end(item: ItemOf<'end'>, lines: number): void {
    const closes = (open: OpenBlock) => item.writtenName.name === `end${open.writtenName.name}` && open.lines === lines
    const innermost = this.#open.at(-1)
    const outer = this.#open.findLast(closes)
    if (innermost === undefined || outer === undefined) return this.#strayEnd(item, lines)
    const isSwapped = !closes(innermost) && !this.#input.isLiquid && this.#tagPairs().swapped.has(item)
    if (isSwapped && innermost.lines === lines) this.#strayEnd(item, lines)
    else this.#closeUpTo(outer, innermost, item)
  }

  /** Closes the innermost block that the end tag belongs to, and the unfinished blocks inside it first. */
  #closeUpTo(outer: OpenBlock, innermost: OpenBlock, { writtenName, span, start }: ItemOf<'end'>): void {
    if (innermost !== outer) {
      this.#refuse(
        this.#lacksItsEnd(innermost, this.#stretch(outer.item.start, start, innermost.lines), writtenName),
        strayTagMessage(writtenName.name, innermost.writtenName.name, innermost.lines),
      )
      const between = this.#open.slice(this.#open.indexOf(outer) + 1)
      for (const block of between.toReversed()) this.#close(block, span.start)
    }
    this.#close(outer, span.end)
  }

  /** Reports a missing end where it was expected, or at the opening tag if that place is far away. */
  #lacksItsEnd({ writtenName: { name }, span, tag }: OpenBlock, section: TextSection, end: NameNode): Diagnostic {
    const oddItem = this.#input.isLiquid ? null : findUnclosedByLayout(name, section)
    const opener = oddItem !== null && 'span' in oddItem ? oddItem : null
    const diagnostic = mismatchedEnd(end.span, end.name, name, opener?.span ?? span, 'first')
    if (opener === null || belongsBefore(section, opener, section.text.lastIndexOf('\n', section.to - 1) + 1))
      return diagnostic
    const related = [{ span: end.span, message: `another block ends here` }]
    return { ...unclosedTag(opener.span, name, bodylessUsage(tag)), related }
  }

  #stretch(from: number, to: number, lines: number): TextSection {
    const { items, text } = this.#input
    return { items, text, from, to, isInSection: (start) => this.#liquidTagAround(start) === lines }
  }

  #strayEnd({ writtenName: { name, span: placeSpan }, span, start }: ItemOf<'end'>, lines: number): void {
    const block = this.#open.at(-1)
    const isKnown = this.#language.tags.has(name.slice(3)) || this.#language.tagsByName.has(name.slice(3))
    const reference = strayTagMessage(
      name,
      block === undefined || block.lines !== lines ? null : block.writtenName.name,
      lines,
    )
    if (!isKnown && block === undefined)
      return this.#refuse(unknownTag(placeSpan, name, this.#language.tagsByName.keys(), null), reference)
    // If no other tag ends the block, this tag was probably meant to end it.
    const isIntendedEnd = block !== undefined && block.lines === lines && this.#lacksEnd(block, name)
    const surplus =
      isIntendedEnd || this.#input.isLiquid
        ? null
        : findSurplusEndByLayout(name.slice(3), this.#stretch(block?.item.start ?? 0, start, lines))
    const surplusSpan = surplus?.kind === 'end' ? surplus.writtenName.span : placeSpan
    this.#refuse(
      mismatchedEnd(
        surplusSpan,
        name,
        block?.writtenName.name ?? null,
        block?.span ?? null,
        isIntendedEnd ? 'instead' : 'gone',
      ),
      reference,
    )
    if (isIntendedEnd) this.#close(block, span.end)
  }

  /**
   * Returns true if a block has no end tag. Also returns true if another open block of that name has none and a misspelled end tag probably
   * belongs to this block.
   */
  #lacksEnd(block: OpenBlock, name: string): boolean {
    const { unclosed } = this.#tagPairs()
    if (unclosed.has(block.item)) return true
    const isSlip = distance(name, `end${block.writtenName.name}`, 2) <= 2
    return (
      isSlip &&
      this.#open.some(
        ({ item, writtenName, lines }) =>
          writtenName.name === block.writtenName.name && lines === block.lines && unclosed.has(item),
      )
    )
  }

  /** Returns true for an unknown end tag whose name is close to the end of the innermost block. */
  #isMisspeltEnd({ writtenName: { name } }: ItemOf<'unknown'>, lines: number): boolean {
    const block = this.#open.at(-1)
    if (this.#input.isLiquid || block === undefined || block.lines !== lines) return false
    const maxDistance = /^[end]{1,3}\w+/.test(name) ? 2 : 1
    return distance(name, `end${block.writtenName.name}`, maxDistance) <= maxDistance && this.#lacksEnd(block, name)
  }

  #unknownTag(item: ItemOf<'unknown'>, lines: number): void {
    const { writtenName } = item
    const { isLiquid } = this.#input
    const innermost = this.#open.at(-1)
    const isBare = item.leftoverSpan === null
    if (isBare && innermost?.lines === lines && FOREIGN_END_TAGS[writtenName.name] === innermost.writtenName.name)
      return this.#strayEnd({ ...item, kind: 'end' }, lines)
    if (this.#isMisspeltEnd(item, lines)) return this.#strayEnd({ ...item, kind: 'end' }, lines)
    const end = this.#tagPairs().closedAs.get(item) ?? null
    const tags = [...this.#language.tagsByName].filter(([, tag]) => !isLiquid || !tag.platform).map(([name]) => name)
    const knownNames = [...tags, ...this.#language.branches.keys(), 'liquid']
    const diagnostic = unknownTag(writtenName.span, writtenName.name, knownNames, end, isLiquid ? 'liquid' : 'platform')
    const isKnownElsewhere = findForeignTag(writtenName.name) !== null
    const reported = isKnownElsewhere ? { ...diagnostic, setsNothing: true as const } : diagnostic
    this.#refuse(reported, formatMessage.unknownTag(writtenName.name))
    if (end === null) return
    // The body of a completely unknown tag is dropped, because its placement rules do not apply.
    const tag = this.#language.tagsByName.get(end) ?? null
    const block = openBlock(item, tag, { name: end, span: writtenName.span }, lines)
    this.#open.push({ ...block, keptPart: isKnownElsewhere ? 'body' : 'nothing' })
  }
}

function openBlock(item: Item & { readonly span: Span }, tag: Tag | null, name: NameNode, lines: number): OpenBlock {
  const [markup, leftoverSpan] = item.kind === 'open' ? [item.markup, item.leftoverSpan] : [null, null]
  return { item, tag, writtenName: name, markup, leftoverSpan, span: item.span, lines, body: [], branches: [] }
}

function nodeOf(block: OpenBlock, wholeSpan: Span): TagNode {
  return {
    kind: 'tag',
    name: block.tag?.name ?? BROKEN,
    writtenName: block.writtenName,
    markup: block.markup,
    body: shareList(block.body),
    branches: shareList(block.branches.map((branch) => ({ ...branch, body: shareList(branch.body) }))),
    leftoverSpan: block.leftoverSpan,
    span: block.span,
    wholeSpan,
    raw: null,
  }
}

function rawNode(
  text: string,
  start: number,
  end: number,
  { spanAt: span, language }: Pick<StructureInput, 'spanAt' | 'language'>,
): TagNode | null {
  const opener = /^(?:\{%-?\s*)?([A-Za-z_]\w*)/.exec(text.slice(start, Math.min(end, start + 200)))
  const name = opener?.[1]
  const tag = name === undefined ? undefined : language.tags.get(name)
  if (opener === null || name === undefined || tag?.raw === undefined) return null
  const inTags = text.startsWith('{%', start)
  const extent: RawExtent = (inTags
    ? rawExtent(text, start, name, tag.raw)
    : rawLinesExtent(text, start + name.length, end, name)) ?? {
    bodyStart: Math.min(end, inTags ? text.indexOf('%}', start) + 2 : start + opener[0].length),
    bodyEnd: end,
    end,
  }
  const nameEnd = start + opener[0].length
  const openingText = inTags ? text.slice(nameEnd, Math.max(nameEnd, extent.bodyStart - 2)).replace(/-$/, '') : ''
  let body = text.slice(extent.bodyStart, extent.bodyEnd)
  if (inTags && name !== 'raw' && text.startsWith('-%}', extent.bodyStart - 3)) body = trimStart(body)
  return {
    kind: 'tag',
    name,
    writtenName: { name, span: span(nameEnd - name.length, nameEnd) },
    markup: undefined,
    body: shareList([]),
    branches: shareList([]),
    leftoverSpan: openingText.trim() === '' ? null : span(nameEnd, nameEnd + openingText.trimEnd().length),
    span: span(start, extent.bodyStart),
    wholeSpan: span(start, extent.end),
    raw: body,
  }
}
