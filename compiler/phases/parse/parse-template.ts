/** Parses a text into a template: items, errors, notes, and the tree. */
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { deprecatedTag } from '../../core/diagnostics/codes/tags-and-filters/deprecated-tag.ts'
import { emptyOutput } from '../../core/diagnostics/codes/misleading/empty-output.ts'
import { inlineComment } from '../../core/diagnostics/codes/syntax/inline-comment.ts'
import { literalPosition } from '../../core/diagnostics/codes/syntax/literal-position.ts'
import { notInLines } from '../../core/diagnostics/codes/syntax/not-in-lines.ts'
import { notPortableBrace } from '../../core/diagnostics/codes/misleading/not-portable-brace.ts'
import { unclosedDelimiter } from '../../core/diagnostics/codes/syntax/unclosed-delimiter.ts'
import { LANGUAGE } from '../../language/language.ts'
import type { Expression, TagNode } from '../../core/tree/ast.ts'
import type { Template } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'
import type { SyntaxNote } from '../../language/syntax/grammar-base.ts'
import { outputToken, parseBaseItems, withMessage } from './base/base-items.ts'
import { MESSAGES, formatMessage } from './base/reference-messages.ts'
import { readDoc } from './doc.ts'
import { findForeignMarkup, withoutForeignBodies } from './foreign-markup.ts'
import { mergeNotes, type LanguageMode, leftoverDiagnostic, noteDiagnostic, type TextBetween } from './notes.ts'
import type { Item } from './item.ts'
import { type ParsedItems, parseItems } from './parser.ts'
import { repairMarkup } from './repair.ts'
import { brokenNode } from './broken-node.ts'
import { buildTree } from './build-tree.ts'
import { explainError } from './syntax-errors.ts'

export interface TemplateLocation {
  readonly file: string
  /** Offset of the text in its file. */
  readonly base: number
  /** The span used for all nodes if the positions in the text are not known. */
  readonly fixed?: Span | null
  readonly interpolation: boolean
}

/** Maximum number of times a text is parsed again with a repair. */
const MAX_REPAIRS = 6

/** Parses a template. Problems go to `report`. Never throws. */
export function parseTemplate(
  text: string,
  location: TemplateLocation,
  mode: LanguageMode,
  report: Pick<Report, 'add'>,
): Template {
  const reported: Diagnostic[] = []
  let source = text
  let current = text
  for (let repairs = 0; ; repairs++) {
    const { template, items, diagnostics } = new TemplateParse(current, location, mode).run()
    const liquid = repairs < MAX_REPAIRS ? withoutForeignBodies(current, items) : current
    if (liquid !== current) {
      if (current === source) source = liquid
      current = liquid
      continue
    }
    const repaired =
      diagnostics.length > 0 && isRepairable(location, mode)
        ? repairMarkup(current, items, diagnostics, location, mode)
        : { diagnostics, text: current }
    reported.push(...repaired.diagnostics)
    if (repaired.text !== current && repairs < MAX_REPAIRS) {
      current = repaired.text
      continue
    }
    for (const diagnostic of reported) report.add(diagnostic)
    const firstDiagnostic = reported[0]
    // The reference implementation stops at the first error.
    const refusal =
      mode.dialect === 'liquid' && mode.readOn !== true
        ? reported.find(({ severity }) => severity === 'error')
        : undefined
    if (refusal !== undefined) return { nodes: [brokenNode(refusal, refusal.span)], doc: template.doc, isBroken: true }
    if (firstDiagnostic === undefined || current === source) return template
    return {
      ...template,
      nodes: [brokenNode(firstDiagnostic, firstDiagnostic.span), ...template.nodes],
      isBroken: true,
    }
  }
}

/** Returns true if repairs are possible. A repair needs known positions and the platform's lax mode. */
function isRepairable({ fixed }: TemplateLocation, { dialect, syntax }: LanguageMode): boolean {
  return dialect === 'platform' && syntax === 'lax' && fixed == null
}

interface ParseAttempt {
  readonly template: Template
  readonly items: readonly Item[]
  readonly diagnostics: readonly Diagnostic[]
}

/** One parse of a text: the parser's result, its diagnostics, and its tree. */
class TemplateParse {
  readonly #text: string
  readonly #location: TemplateLocation
  readonly #mode: LanguageMode
  readonly #parsed: ParsedItems
  #items: readonly Item[]
  readonly #diagnostics: Diagnostic[] = []
  /** Diagnostics of unreadable markup. A site built with `--keep-going` shows their messages instead of the markup. */
  readonly #refusals: Diagnostic[] = []
  /** Markups that already have a diagnostic, and reported notes that belong to no markup. */
  readonly #explained = new Set<Item | SyntaxNote>()
  #broken: boolean

  constructor(text: string, location: TemplateLocation, mode: LanguageMode) {
    this.#text = text
    this.#location = location
    this.#mode = mode
    this.#parsed = parseItems(text, { ...location, ...mode })
    this.#items = this.#parsed.items
    this.#broken = this.#parsed.errors.length > 0
  }

  run(): ParseAttempt {
    if (this.#mode.dialect === 'liquid') this.#readBaseMarkups()
    this.#explainErrors()
    this.#explainNotes()
    const items = this.#items
    for (const item of items) this.#checkItem(item)
    if (isRepairable(this.#location, this.#mode))
      for (const diagnostic of findForeignMarkup(items, this.#text, this.#spanAt, this.#mode.language))
        this.add(diagnostic)
    return { template: this.#template(), items, diagnostics: this.#diagnostics }
  }

  #readBaseMarkups(): void {
    const source = { text: this.#text, spanAt: this.#spanAt, syntax: this.#mode.syntax }
    this.#items = parseBaseItems(this.#items, source, (diagnostic) => {
      this.#broken = true
      this.#refuse(diagnostic)
    })
  }

  add(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  /** Offsets of `liquid` tags reported as unclosed. */
  readonly #unclosed = new Set<number>()

  #refuse(diagnostic: Diagnostic): void {
    this.add(diagnostic)
    this.#refusals.push(diagnostic)
  }

  readonly #spanAt = (start: number, end: number): Span => {
    const { fixed, file, base } = this.#location
    return fixed ?? { file, start: base + start, end: base + end }
  }

  /** Returns the text between two offsets of the file. */
  readonly #textBetween: TextBetween = (start, end) => {
    const { base } = this.#location
    return this.#text.slice(start - base, end - base)
  }

  #explainErrors(): void {
    for (const error of this.#parsed.errors) {
      const diagnostic = explainError(error, this.#text, this.#parsed.tokens, this.#spanAt, this.#mode.language)
      if (diagnostic !== null) this.#refuse(diagnostic)
    }
  }

  #explainNotes(): void {
    const markups = this.#items.filter(
      (item): item is Markup => item.kind === 'open' || item.kind === 'branch' || item.kind === 'output',
    )
    const textBetween: TextBetween = this.#location.fixed ? () => '' : this.#textBetween
    const withUnclosedText = new Set<Item>()
    for (const note of mergeNotes(this.#parsed.notes, textBetween)) {
      const markup = markupAround(markups, note.span)
      // One surplus quote causes many of these notes in a markup. Only one is reported.
      if (REPEATED_NOTES.has(note.kind)) {
        if (this.#explained.has(markup ?? note)) continue
        this.#explained.add(markup ?? note)
      }
      const tag = markup === null || markup.kind === 'output' ? null : markup.writtenName.name
      const diagnostic = noteDiagnostic(note, tag, this.#mode, textBetween)
      if (diagnostic === null) continue
      if (markup !== null && diagnostic.code === 'unclosed-string') {
        // The first unmatched quote explains the other unmatched quotes in its markup.
        if (withUnclosedText.has(markup)) continue
        withUnclosedText.add(markup)
      }
      // The rest of the markup was probably meant as a string.
      if (markup !== null && note.kind === 'cut-text') this.#explained.add(markup)
      this.add(diagnostic)
    }
  }

  #checkItem(item: Item): void {
    const isPlatform = this.#mode.dialect === 'platform'
    if (item.kind === 'unterminated') this.#refuse(this.#unterminated(item.start))
    else if (item.kind === 'bad-line') this.#refuseLine(item.start, item.end)
    else if (item.kind === 'comment') this.#checkComment(item.start, item.end)
    else if (item.kind === 'output' && isPlatform) this.#checkOutput(item)
    if ('leftoverSpan' in item && !this.#explained.has(item)) {
      const diagnostic = leftoverDiagnostic(item, this.#textBetween, this.#mode)
      if (diagnostic !== null) this.add(diagnostic)
    }
    if (item.kind === 'open' && isPlatform) checkOpen(item, this)
  }

  #unterminated(start: number): Diagnostic {
    const open = this.#text.slice(start, start + 2)
    const diagnostic = unclosedDelimiter(this.#spanAt(start, start + 2), open)
    if (this.#mode.dialect === 'platform') return diagnostic
    const reference =
      open === '{{'
        ? formatMessage.outputTermination(outputToken(this.#text, start))
        : formatMessage.tagTermination('{%')
    return withMessage(diagnostic, reference)
  }

  /**
   * Reports an unreadable line of a `liquid` tag. If the `liquid` tag ends at the `%}` of another tag, the missing `%}` is reported
   * instead.
   */
  #refuseLine(start: number, end: number): void {
    const open = this.#mode.dialect === 'platform' ? findUnclosedLiquidTag(this.#text, start) : null
    if (open === null) return this.#refuse(this.#badLine(start, end))
    if (this.#unclosed.has(open)) return
    this.#unclosed.add(open)
    const tag = /^\{%-?\s*liquid\b/.exec(this.#text.slice(open, open + 40))?.[0].length ?? 2
    this.#refuse(unclosedDelimiter(this.#spanAt(open, open + tag), '{%'))
  }

  #badLine(start: number, end: number): Diagnostic {
    const line = this.#text.slice(start, end).trim()
    const replacement = line.startsWith('{{') ? 'echo' : 'a tag'
    const diagnostic = notInLines(this.#spanAt(start, end), line, replacement)
    return this.#mode.dialect === 'platform' ? diagnostic : withMessage(diagnostic, formatMessage.unknownTag(line))
  }

  #checkComment(start: number, end: number): void {
    const diagnostic = commentDiagnostic(this.#text.slice(start, end), start, this.#spanAt)
    if (diagnostic === null) return
    if (this.#mode.dialect === 'platform') return this.add(diagnostic)
    // The reference implementation reports this at the line of the tag.
    this.add(withMessage({ ...diagnostic, span: this.#spanAt(start, end) }, MESSAGES.inlineComment))
  }

  #checkOutput({ span, value, leftoverSpan }: Extract<Item, { readonly kind: 'output' }>): void {
    const brace = findLoneBrace(span, this.#textBetween)
    if (brace !== null) this.add(notPortableBrace(brace))
    if (value === null && leftoverSpan === null) this.add(emptyOutput(span))
    if (value !== null) checkHead(value.input, 'an output', this)
  }

  #template(): Template {
    const { nodes, isBroken } = buildTree({
      items: this.#items,
      text: this.#text,
      spanAt: this.#spanAt,
      language: this.#mode.language ?? LANGUAGE,
      isLiquid: this.#mode.dialect === 'liquid',
      diagnosticAt: ({ start, end }) =>
        this.#refusals.find((each) => each.span.start >= start && each.span.start <= end) ?? null,
      report: this,
    })
    const doc = nodes.find((node): node is TagNode => node.kind === 'tag' && node.name === 'doc')
    return {
      nodes,
      doc: doc === undefined ? null : readDoc(doc, this.#text, this.#location.base),
      isBroken: this.#broken || isBroken,
    }
  }
}

/** Note kinds that occur in large numbers after one surplus quote. */
const REPEATED_NOTES: ReadonlySet<SyntaxNote['kind']> = new Set([
  'junk-between-arguments',
  'unknown-operator',
  'parenthesis',
])

/** Tags whose value must not be a hash literal. */
const NO_HASH = new Set(['echo', 'print', 'session', 'hash_assign', 'log'])

function checkOpen(item: Extract<Item, { kind: 'open' }>, report: Pick<Report, 'add'>): void {
  const { tag, writtenName } = item
  if (writtenName.name !== tag.name) report.add(deprecatedTag(writtenName.span, writtenName.name, tag.name, true))
  else if (tag.deprecated !== undefined)
    report.add(deprecatedTag(writtenName.span, tag.name, tag.deprecated, tag.renamed === true))
  if (!NO_HASH.has(tag.name)) return
  // The markup of these tags has only one of the two expressions.
  const markup = item.markup as { value?: Expression; message?: Expression }
  const value = markup.value ?? markup.message
  if (value !== undefined) checkHead(value.kind === 'filtered' ? value.input : value, `\`${tag.name}\``, report)
}

/** `where` describes the markup in the message. */
function checkHead(value: Expression, place: string, report: Pick<Report, 'add'>): void {
  if (value.kind === 'hash') report.add(literalPosition(value.span, 'hash', place))
}

/** Finds a lone `}` in an output without a literal. Base Liquid ends the output there. */
function findLoneBrace(span: Span, source: (start: number, end: number) => string): Span | null {
  const text = source(span.start + 2, span.end - 2)
  const at = text.indexOf('}')
  return at < 0 || /[{[]/.test(text) ? null : { file: span.file, start: span.start + 2 + at, end: span.start + 3 + at }
}

/** Reports a line of an inline comment that does not begin with `#`. */
function commentDiagnostic(text: string, start: number, span: (start: number, end: number) => Span): Diagnostic | null {
  let at = text.indexOf('#')
  for (const line of text.slice(at, text.lastIndexOf('%}')).replace(/-$/, '').split('\n')) {
    const content = line.trim()
    const from = start + at + line.indexOf(content)
    if (content !== '' && !content.startsWith('#')) return inlineComment(span(from, from + content.length), content)
    at += line.length + 1
  }
  return null
}

type Markup = Extract<Item, { readonly kind: 'open' | 'branch' | 'output' }>

/** Returns the tag or output that contains a span; null if that markup could not be parsed. */
function markupAround(markups: readonly Markup[], span: Span): Markup | null {
  let low = 0
  let high = markups.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((markups[middle]?.span.start ?? 0) <= span.start) low = middle + 1
    else high = middle
  }
  const candidate = markups[low - 1]
  return candidate !== undefined && span.end <= candidate.span.end ? candidate : null
}

// ---- liquid tags without an end ------------------------------------------------------------------------------------

/** Returns the start of the `liquid` tag around an unreadable line if its `%}` is missing; otherwise null. */
function findUnclosedLiquidTag(text: string, line: number): number | null {
  const open = lastLiquidTag(text, line)
  const close = text.indexOf('%}', line)
  if (open < 0 || close < 0) return null
  const first = text.slice(line, line + 2)
  if (first !== '{%' && !/^<[a-zA-Z/!]/.test(first)) return null
  // If the next delimiter opens another tag, the `liquid` tag lacks its `%}`.
  const inner = text.lastIndexOf('{%', close)
  const next = text.indexOf('%}', close + 2)
  const nextTag = text.indexOf('{%', close + 2)
  return inner > open && (next < 0 || (nextTag >= 0 && nextTag < next)) ? open : null
}

function lastLiquidTag(text: string, before: number): number {
  for (let at = text.lastIndexOf('{%', before); at >= 0; at = text.lastIndexOf('{%', at - 1)) {
    if (/^\{%-?\s*liquid\b/.test(text.slice(at, at + 40))) return at
    if (at === 0) break
  }
  return -1
}
