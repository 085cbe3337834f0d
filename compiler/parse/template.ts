/** One text → one template: items, errors in words, notes, and the tree. */
import type { IRecognitionException, IToken } from 'chevrotain'
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts'
import { assignSyntax } from '../diagnostics/codes/syntax/assign-syntax.ts'
import { brokenInterpolation } from '../diagnostics/codes/syntax/broken-interpolation.ts'
import { deprecatedTag } from '../diagnostics/codes/tags-and-filters/deprecated-tag.ts'
import { emptyOutput } from '../diagnostics/codes/misleading/empty-output.ts'
import { inlineComment } from '../diagnostics/codes/syntax/inline-comment.ts'
import { literalPosition } from '../diagnostics/codes/syntax/literal-position.ts'
import { loopRange } from '../diagnostics/codes/syntax/loop-range.ts'
import { notInLines } from '../diagnostics/codes/syntax/not-in-lines.ts'
import { notPortableBrace } from '../diagnostics/codes/misleading/not-portable-brace.ts'
import { outputInLiteral } from '../diagnostics/codes/syntax/output-in-literal.ts'
import { syntaxError } from '../diagnostics/codes/syntax/syntax-error.ts'
import { tagMarkup } from '../diagnostics/codes/syntax/tag-markup.ts'
import { trailingComma } from '../diagnostics/codes/syntax/trailing-comma.ts'
import { unclosedDelimiter } from '../diagnostics/codes/syntax/unclosed-delimiter.ts'
import { unclosedString } from '../diagnostics/codes/syntax/unclosed-string.ts'
import { TAGS_BY_NAME } from '../language.ts'
import type { Expression, Node, TagNode } from '../model/ast.ts'
import type { Template } from '../model/unit.ts'
import type { Span } from '../source/span.ts'
import { endOf, type SyntaxNote } from '../syntax/grammar-base.ts'
import { openedName, OutputOpen, TagOpen } from '../syntax/lexer.ts'
import * as T from '../syntax/tokens.ts'
import { readDoc } from './doc.ts'
import { foreignIn } from './foreign.ts'
import { gathered, leftOver, misspelled, type LanguageMode, noted, type TextBetween } from './notes.ts'
import { type Item, readTemplate } from './parser.ts'
import { teach } from './repair.ts'
import { brokenNode, structure } from './structure.ts'

export interface TemplateLocation {
  readonly file: string
  /** Offset of the text in its file. */
  readonly base: number
  /** Every place, where the text's own places are not known. */
  readonly fixed?: Span | null
  readonly interpolation: boolean
}

/** Times that a text is read again with what was probably meant in the place of what cannot be read. */
const MOST_READINGS = 6

/** Reads a template; what is wrong with it goes to `report`. Never throws. */
export function parseTemplate(
  text: string,
  place: TemplateLocation,
  mode: LanguageMode,
  report: Pick<Report, 'add'>,
): Template {
  const told: Diagnostic[] = []
  let now = text
  for (let reading = 0; ; reading++) {
    const { template, items, said } = readOnce(now, place, mode)
    // Words that teach need the places of what they speak of.
    const teaches = said.length > 0 && mode.dialect === 'platform' && mode.syntax === 'lax' && place.fixed == null
    const taught = teaches ? teach(now, items, said, place, mode) : { said, text: now }
    told.push(...taught.said)
    if (taught.text !== now && reading < MOST_READINGS) {
      now = taught.text
      continue
    }
    for (const each of told) report.add(each)
    const first = told[0]
    if (first === undefined || now === text) return template
    return { ...template, nodes: [brokenNode(first.message, first.span), ...template.nodes], broken: true }
  }
}

interface ParseAttempt {
  readonly template: Template
  readonly items: readonly Item[]
  readonly said: readonly Diagnostic[]
}

function readOnce(text: string, place: TemplateLocation, mode: LanguageMode): ParseAttempt {
  const said: Diagnostic[] = []
  const report = { add: (each: Diagnostic) => void said.push(each) }
  const { items, errors, notes, tokens } = readTemplate(text, { ...place, ...mode })
  const span = (start: number, end: number): Span =>
    place.fixed ?? { file: place.file, start: place.base + start, end: place.base + end }
  const source = (start: number, end: number) => text.slice(start - place.base, end - place.base)

  const refused: Diagnostic[] = []
  const refuse = (diagnostic: Diagnostic) => {
    report.add(diagnostic)
    refused.push(diagnostic)
  }
  for (const error of errors) {
    const diagnostic = explain(error, text, tokens, span)
    if (diagnostic !== null) refuse(diagnostic)
  }
  const markups = items.filter(
    (item): item is Markup => item.kind === 'open' || item.kind === 'branch' || item.kind === 'output',
  )
  const skipped: TextBetween = place.fixed ? () => '' : source
  // What a markup is told once, and not for each of its parts.
  const told = new Set<Item | SyntaxNote>()
  const unclosed = new Set<Item>()
  for (const note of gathered(notes, skipped)) {
    const around = markupAround(markups, note.span)
    // A quote too many strews the rest of the markup among the arguments.
    if (note.kind === 'junk-between-arguments' || note.kind === 'unknown-operator' || note.kind === 'parenthesis') {
      if (told.has(around ?? note)) continue
      told.add(around ?? note)
    }
    const diagnostic = noted(
      note,
      around === null || around.kind === 'output' ? null : around.written.name,
      mode,
      skipped,
    )
    if (diagnostic === null) continue
    // Of quotes that do not fit one another, the first.
    if (around !== null && diagnostic.code === 'unclosed-string') {
      if (unclosed.has(around)) continue
      unclosed.add(around)
    }
    // All that follows in the markup was meant as the text.
    if (around !== null && note.kind === 'cut-text') told.add(around)
    report.add(diagnostic)
  }
  let broken = errors.length > 0
  for (const item of items) {
    switch (item.kind) {
      case 'unterminated': {
        const open = text.slice(item.start, item.start + 2)
        refuse(unclosedDelimiter(span(item.start, item.start + 2), open))
        break
      }
      case 'bad-line':
        refuse(
          notInLines(
            span(item.start, item.end),
            text.slice(item.start, item.end).trim(),
            text.startsWith('{{', item.start) ? 'echo' : 'a tag',
          ),
        )
        break
      case 'comment':
        checkComment(text.slice(item.start, item.end), item.start, span, report)
        break
      case 'output':
        broken = checkBraces(item.span, source, mode, report) || broken
        if (item.value === null && item.leftover === null && mode.dialect === 'platform')
          report.add(emptyOutput(item.span))
        if (item.value !== null && mode.dialect === 'platform') checkHead(item.value.input, 'an output', report)
        break
    }
    if ('leftover' in item) {
      // Behind an operator that is none, nothing can be read.
      const diagnostic = told.has(item) ? null : leftOver(item, source, mode)
      if (diagnostic !== null) report.add(diagnostic)
    }
    if (item.kind === 'open' && mode.dialect === 'platform') checkOpen(item, report)
  }
  if (mode.dialect === 'platform' && mode.syntax === 'lax' && place.fixed == null)
    for (const each of foreignIn(items, text, span)) report.add(each)
  const messageAt = (place: Span) =>
    refused.find((each) => each.span.start >= place.start && each.span.start <= place.end)?.message ??
    'This cannot be read.'
  const { nodes, broken: misbuilt } = structure(items, text, span, mode.dialect === 'liquid', messageAt, report)
  const doc = findDoc(nodes)
  const template = { nodes, doc: doc === null ? null : readDoc(doc, text, place.base), broken: broken || misbuilt }
  return { template, items, said }
}

function isTag(node: Node, name: string): node is TagNode {
  return node.kind === 'tag' && node.name === name
}

function findDoc(nodes: readonly Node[]): TagNode | null {
  return nodes.find((node): node is TagNode => isTag(node, 'doc')) ?? null
}

/** Tags whose value may be no hash literal. */
const NO_HASH = new Set(['echo', 'print', 'session', 'hash_assign', 'log'])

function checkOpen(item: Extract<Item, { kind: 'open' }>, report: Pick<Report, 'add'>): void {
  const { tag, written } = item
  if (written.name !== tag.name) report.add(deprecatedTag(written.span, written.name, tag.name))
  else if (tag.deprecated !== undefined) report.add(deprecatedTag(written.span, tag.name, tag.deprecated))
  if (!NO_HASH.has(tag.name)) return
  const markup = item.markup as { value?: Expression; message?: Expression }
  const value = markup.value ?? markup.message
  if (value !== undefined) checkHead(value.kind === 'filtered' ? value.input : value, `\`${tag.name}\``, report)
}

function checkHead(value: Expression, place: string, report: Pick<Report, 'add'>): void {
  if (value.kind === 'hash') report.add(literalPosition(value.span, 'hash', place))
}

/** A lone `}` ends the reading of an output in the reference: base Liquid refuses it, the platform's dialect reports it. */
function checkBraces(
  span: Span,
  source: (start: number, end: number) => string,
  mode: LanguageMode,
  report: Pick<Report, 'add'>,
): boolean {
  const text = source(span.start + 2, span.end - 2)
  const at = text.indexOf('}')
  if (at < 0) return false
  const place = { file: span.file, start: span.start + 2 + at, end: span.start + 3 + at }
  if (mode.dialect === 'liquid') report.add(unclosedDelimiter(span, '{{'))
  else if (!/[{[]/.test(text)) report.add(notPortableBrace(place))
  return mode.dialect === 'liquid'
}

/** Every line of an inline comment begins with `#`. */
function checkComment(
  text: string,
  start: number,
  span: (start: number, end: number) => Span,
  report: Pick<Report, 'add'>,
): void {
  let at = text.indexOf('#')
  for (const line of text.slice(at, text.lastIndexOf('%}')).replace(/-$/, '').split('\n')) {
    const content = line.trim()
    if (content !== '' && !content.startsWith('#')) {
      report.add(
        inlineComment(
          span(start + at + line.indexOf(content), start + at + line.indexOf(content) + content.length),
          content,
        ),
      )
      return
    }
    at += line.length + 1
  }
}

type Markup = Extract<Item, { readonly kind: 'open' | 'branch' | 'output' }>

/** The tag or output that a place stands in; null in one that could not be read. */
function markupAround(markups: readonly Markup[], place: Span): Markup | null {
  let low = 0
  let high = markups.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((markups[middle]?.span.start ?? 0) <= place.start) low = middle + 1
    else high = middle
  }
  const found = markups[low - 1]
  return found !== undefined && place.end <= found.span.end ? found : null
}

/** A parser's error in the words of an author, or null when another message covers it. */
function explain(
  error: IRecognitionException,
  text: string,
  tokens: readonly IToken[],
  span: (start: number, end: number) => Span,
) {
  const at = Number.isNaN(error.token.startOffset) ? text.length : error.token.startOffset
  const token = error.token
  const index = tokens.indexOf(token)
  const before = index > 0 ? tokens[index - 1] : undefined
  const open = openerBefore(tokens, index < 0 ? tokens.length : index)
  const place = Number.isNaN(token.startOffset)
    ? span(Math.max(0, at - 1), at)
    : span(at, Math.max(at + 1, Math.min(endOf(token), lineEnd(text, at))))
  if (token.image === "'" || token.image === '"') return unclosedString(place, token.image)
  // A quote without its partner was skipped, and reported, where a value had to stand.
  if (before?.tokenType === T.StrayQuote) return null
  const foreign = misspelled(place, (start, end) => text.slice(start - place.start + at, end - place.start + at))
  if (foreign !== null) return foreign
  if (inInterpolation(tokens, index < 0 ? tokens.length : index))
    return brokenInterpolation(place, firstLine(token.image))
  if (
    before !== undefined &&
    before.tokenType === T.Comma &&
    (T.isA(token, T.CloseBrace) || T.isA(token, T.CloseBracket))
  )
    return trailingComma(span(before.startOffset, endOf(before)), token.image)
  if (T.isA(token, T.OpenBrace) && text.startsWith('{{', at - 1)) {
    const close = text.indexOf('}}', at)
    return outputInLiteral(
      span(at - 1, close < 0 ? at + 1 : close + 2),
      close < 0 ? '{{' : text.slice(at + 1, close).trim(),
    )
  }
  if (open === undefined || T.isA(open, OutputOpen)) {
    const closes = T.isA(token, T.OutputClose) || T.isA(token, T.TagClose)
    return syntaxError(place, closes ? 'the end of the output' : firstLine(token.image), 'a value')
  }
  const name = openedName(open.image)
  if ((name === 'for' || name === 'tablerow') && text.slice(open.startOffset, at).includes('(')) {
    const range = /^\([^)%\n]*\)?/.exec(text.slice(text.lastIndexOf('(', at)))?.[0] ?? '('
    return loopRange(place, firstLine(range.trimEnd()))
  }
  const tag = TAGS_BY_NAME.get(name)
  if (name === 'assign') return assignSyntax(place, T.isA(token, T.TagClose) ? '' : firstLine(token.image))
  return tagMarkup(
    T.isA(token, T.TagClose) ? span(open.startOffset, Math.max(endOf(open), at)) : place,
    name,
    tag?.usage ?? `{% ${name} %}`,
  )
}

/** Whether the token stands inside the braces of a double-quoted text. */
function inInterpolation(tokens: readonly IToken[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at] as IToken
    if (T.isA(token, T.InterpolationOpen) || T.isA(token, T.InterpolationMid)) return true
    if (T.isA(token, T.InterpolationClose) || T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)) return false
  }
  return false
}

function openerBefore(tokens: readonly IToken[], index: number): IToken | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at] as IToken
    if (T.isA(token, TagOpen) || T.isA(token, OutputOpen)) return token
    if (token.tokenType.CATEGORIES?.includes(TagOpen)) return token
  }
  return undefined
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : Math.max(end, at + 1)
}
