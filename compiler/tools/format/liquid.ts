/**
 * Formats Liquid: tags, outputs and the lines of `{% liquid %}`. All other text is printed byte for byte, so it stays unchanged. Line
 * breaks stay.
 */
import type { IToken } from 'chevrotain'
import { type Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import type { Node } from '../../core/tree/ast.ts'
import type { Template } from '../../core/model/unit.ts'
import { parseItems } from '../../phases/parse/parser.ts'
import { parseTemplate } from '../../phases/parse/parse-template.ts'
import type { LanguageMode } from '../../phases/parse/notes.ts'
import { InlineComment, OutputOpen, RawTag } from '../../language/syntax/lexer.ts'
import { isA, OutputClose, TagClose } from '../../language/syntax/tokens.ts'
import { applyEdits } from '../../core/diagnostics/quick-fix.ts'
import { type Edit, Edits, editsAt, type Formatting, unreadableAt } from './edit.ts'
import { formatLines, findLines } from './lines.ts'
import { endOf, formatMarkup, opensTag } from './markup.ts'
import { sameMeaning } from './same-meaning.ts'

/** How the templates of a site are parsed. */
export interface LiquidOptions extends LanguageMode {
  readonly interpolation: boolean
}

/** Returns the edits of a template that begins at `base` of its file. */
export function formatLiquid(text: string, base: number, reading: LiquidOptions): Formatting {
  const { template, error } = parseForFormat(text, reading)
  if (error !== null) return unreadableAt(base + error.span.start, error.message)
  const { tokens } = parseItems(text, { file: '', base: 0, ...reading })
  const edits = new LiquidLayout(text, tokens, findBlockStarts(template.nodes)).edits()
  return editsAt(base, dropUnsafeEdits(text, template, edits, reading))
}

function parseForFormat(
  text: string,
  reading: LiquidOptions,
): { readonly template: Template; readonly error: Diagnostic | null } {
  const report = new Report()
  const template = parseTemplate(text, { file: '', base: 0, interpolation: reading.interpolation }, reading, report)
  return { template, error: report.diagnostics.find(({ severity }) => severity === 'error') ?? null }
}

/** Maximum number of parses to find the edits that change a template's meaning. */
const MAX_PARSES = 100

/** Returns the edits without those that would change the parsed tree. In rare places white space has a meaning. */
function dropUnsafeEdits(
  text: string,
  before: Template,
  edits: readonly Edit[],
  reading: LiquidOptions,
): readonly Edit[] {
  let tries = 0
  const findSafeEdits = (candidates: readonly Edit[]): readonly Edit[] => {
    if (candidates.length === 0 || ++tries > MAX_PARSES) return []
    const after = parseForFormat(applyEdits(text, candidates), reading)
    if (after.error === null && sameMeaning(before, after.template)) return candidates
    if (candidates.length === 1) return []
    const middle = candidates.length >> 1
    const halves = [candidates.slice(0, middle), candidates.slice(middle)].flatMap(findSafeEdits)
    // Each half is safe. The combination of both is checked again.
    return halves.length === candidates.length ? [] : findSafeEdits(halves)
  }
  return findSafeEdits(edits)
}

/** Returns the start offsets of blocks that have an end. */
function findBlockStarts(nodes: readonly Node[]): ReadonlySet<number> {
  const starts = new Set<number>()
  const queue = [...nodes]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.kind !== 'tag') continue
    if (node.wholeSpan.end > node.span.end) starts.add(node.span.start)
    queue.push(...node.body, ...node.branches.flatMap(({ body }) => body))
  }
  return starts
}

/** An opening delimiter with its white space: `{%- if`, `{%-`. */
const OPENER = /^(\{%-?)[ \t\r\n\f\v]*/
const RAW_OPEN = /^\{%-?([ \t\r\n\f\v]*)\w+([ \t\r\n\f\v]*)-?%\}/
const RAW_END = /\{%-?([ \t\r\n\f\v]*)end\w+([ \t\r\n\f\v]*)-?%\}$/

class LiquidLayout {
  readonly #text: string
  readonly #tokens: readonly IToken[]
  readonly #blocks: ReadonlySet<number>
  readonly #edits: Edits
  /** Start of the current line. */
  #lineStart = 0
  #lineEnd: number
  /** The last multi-line markup, whose indentation may have changed. */
  #before = { start: 0, end: 0, indent: '' }

  constructor(text: string, tokens: readonly IToken[], blocks: ReadonlySet<number>) {
    this.#text = text
    this.#tokens = tokens
    this.#blocks = blocks
    this.#edits = new Edits(text)
    this.#lineEnd = text.indexOf('\n')
  }

  edits(): readonly Edit[] {
    let offset = 0
    for (let at = 0; at <= this.#tokens.length; ) {
      const token = this.#tokens[at]
      const gap = this.#text.slice(offset, token?.startOffset ?? this.#text.length)
      if (gap !== '') {
        const indent = this.#indentAt(offset)
        const lines = findLines(this.#text, offset, this.#tokens, at)
        if (lines === null) return this.#edits.edits
        formatLines(this.#text, { ...lines, indent }, this.#blocks, this.#edits)
        this.#passed(offset, lines.end, indent)
        at = lines.next
        offset = lines.end
        continue
      }
      if (token === undefined) break
      at = this.#one(token, at)
      offset = endOf(this.#tokens[at - 1] ?? token)
    }
    return this.#edits.edits
  }

  /** Formats the markup that begins with a token. @returns the index of the token after it */
  #one(token: IToken, at: number): number {
    const { startOffset, image } = token
    if (opensTag(token) || isA(token, OutputOpen)) {
      let end = at + 1
      for (let next = this.#tokens[end]; next !== undefined && !isClose(next); next = this.#tokens[end]) end++
      const indent = this.#indentAt(startOffset)
      const tokens = this.#tokens.slice(at, end + 1)
      const endOffset = endOf(tokens.at(-1) ?? token)
      // A template value may be replaced by anything, so its markup stays unchanged.
      if (!this.#text.slice(startOffset, endOffset).includes('<%=')) {
        this.#opener(startOffset, image)
        formatMarkup(this.#text, { tokens, indent }, this.#edits)
      }
      this.#passed(startOffset, endOffset, indent)
      return Math.min(end + 1, this.#tokens.length)
    }
    if (isA(token, RawTag)) this.#raw(startOffset, image)
    else if (isA(token, InlineComment)) this.#inlineComment(startOffset, image)
    return at + 1
  }

  #opener(start: number, image: string): void {
    const opener = OPENER.exec(image)
    if (opener === null || opener[0] === image) return
    this.#edits.replace(start + (opener[1]?.length ?? 0), start + opener[0].length, ' ')
  }

  /** Formats the tags around a raw text. */
  #raw(start: number, image: string): void {
    this.#gaps(start, RAW_OPEN.exec(image))
    const end = RAW_END.exec(image)
    this.#gaps(start + (end?.index ?? 0), end)
  }

  #gaps(start: number, match: RegExpExecArray | null): void {
    if (match === null) return
    const [whole, first = '', second = ''] = match
    const from = start + (whole.startsWith('{%-') ? 3 : 2)
    this.#edits.replace(from, from + first.length, ' ')
    const to = start + whole.length - (whole.endsWith('-%}') ? 3 : 2)
    this.#edits.replace(to - second.length, to, ' ')
  }

  #inlineComment(start: number, image: string): void {
    if (image.includes('\n')) return
    this.#opener(start, image)
    const close = /([ \t]*)-?%\}$/.exec(image)
    if (close !== null) this.#edits.replace(start + close.index, start + close.index + (close[1]?.length ?? 0), ' ')
  }

  #passed(start: number, end: number, indent: string): void {
    if (this.#text.slice(start, end).includes('\n')) this.#before = { start, end, indent }
  }

  /** Returns the indentation of the line at an offset. Offsets must increase from call to call. */
  #indentAt(offset: number): string {
    while (this.#lineEnd >= 0 && this.#lineEnd < offset) {
      this.#lineStart = this.#lineEnd + 1
      this.#lineEnd = this.#text.indexOf('\n', this.#lineStart)
    }
    const { start, end, indent } = this.#before
    if (this.#lineStart > start && this.#lineStart < end) return indent
    return /^[ \t]*/.exec(this.#text.slice(this.#lineStart, offset))?.[0] ?? ''
  }
}

function isClose(token: IToken): boolean {
  return isA(token, TagClose) || isA(token, OutputClose)
}
