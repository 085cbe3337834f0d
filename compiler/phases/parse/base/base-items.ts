/** Parses the markups of base Liquid in the same way as the reference implementation. The grammar has already found their positions. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { syntaxError } from '../../../core/diagnostics/codes/syntax/syntax-error.ts'
import { unclosedDelimiter } from '../../../core/diagnostics/codes/syntax/unclosed-delimiter.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Syntax } from '../../../core/model/dialect.ts'
import { statementEnd } from '../../../language/syntax/tokens.ts'
import type { Item } from '../item.ts'
import { Expressions, type SpanAt } from './expressions.ts'
import { parseFiltered } from './filters.ts'
import { isBaseMarkup, parseMarkup } from './markups.ts'
import { subSlice, type TextSlice, trimSlice } from './text-slices.ts'
import { Refusal, formatMessage } from './reference-messages.ts'

interface BaseText {
  readonly text: string
  readonly spanAt: SpanAt
  readonly syntax: Syntax
}

/**
 * Returns the items with their parsed markups. Calls `refuse` with the diagnostic of each markup that the reference implementation
 * rejects.
 */
export function parseBaseItems(
  items: readonly Item[],
  source: BaseText,
  refuse: (diagnostic: Diagnostic) => void,
): readonly Item[] {
  const expressions = new Expressions(source.spanAt)
  return items.map((item) => parseItem(item, source, expressions, refuse))
}

function parseItem(
  item: Item,
  source: BaseText,
  expressions: Expressions,
  refuse: (diagnostic: Diagnostic) => void,
): Item {
  if (item.kind === 'output') return parseOutput(item, source, expressions, refuse)
  if ((item.kind !== 'open' && item.kind !== 'branch') || !isBaseMarkup(item.writtenName.name)) return item
  const { writtenName, span, start } = item
  const markup = tagMarkup(source.text, start, writtenName.name)
  try {
    const parsedMarkup = parseMarkup(writtenName.name, markup, expressions, source.syntax)
    const leftover = writtenName.name === 'else' ? trimSlice(markup) : null
    // The reference implementation reports a tag at the line where its markup begins.
    const lineStart = source.text.slice(start, markup.at).includes('\n')
      ? { ...span, start: expressions.spanOf(markup).start }
      : span
    return {
      ...item,
      span: lineStart,
      markup: parsedMarkup,
      leftoverSpan: leftover === null || leftover.text === '' ? null : expressions.spanOf(leftover),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refusal = refusalDiagnostic(error, markup, markup.at, source, span)
    if (item.kind === 'branch') return { ...item, markup: null, leftoverSpan: null, refusal }
    refuse(refusal)
    return { kind: 'broken', tag: item.tag, writtenName, span, start }
  }
}

type OutputItem = Extract<Item, { readonly kind: 'output' }>

function parseOutput(
  item: OutputItem,
  source: BaseText,
  expressions: Expressions,
  refuse: (diagnostic: Diagnostic) => void,
): Item {
  const { text, spanAt, syntax } = source
  const { start } = item
  const broken: Item = { kind: 'broken', tag: null, writtenName: null, span: item.span, start }
  const token = outputToken(text, start)
  const close = text.indexOf('}}', start + 2)
  if (!token.endsWith('}}') && (syntax !== 'lax' || !isBalanced(text.slice(start + 2, close)))) {
    refuse(
      withMessage(
        unclosedDelimiter(spanAt(start, start + token.length), '{{', null),
        formatMessage.outputTermination(token),
      ),
    )
    return broken
  }
  const markup = withoutDashes(text, start + 2, close)
  try {
    return {
      kind: 'output',
      value: parseFiltered(markup, expressions, syntax),
      leftoverSpan: null,
      span: item.span,
      start,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuse(refusalDiagnostic(error, markup, start, source, item.span))
    return broken
  }
}

/**
 * Builds the diagnostic of a refusal. It points at the wrong token if this token is on the line that the reference implementation reports.
 * `from` is the start of an output, or of a tag's markup.
 */
function refusalDiagnostic(
  refusal: Refusal,
  markup: TextSlice,
  from: number,
  source: BaseText,
  wholeSpan: Span,
): Diagnostic {
  const trimmedMarkup = trimSlice(markup)
  const { token: place } = refusal
  const isNear = (at: number) => !source.text.slice(from, at).includes('\n')
  const nearToken =
    place !== null && place.text !== '' && isNear(place.at)
      ? place
      : trimmedMarkup.text !== '' && isNear(trimmedMarkup.at)
        ? trimmedMarkup
        : null
  const span =
    nearToken !== null
      ? source.spanAt(nearToken.at, nearToken.at + nearToken.text.length)
      : from === markup.at
        ? source.spanAt(from, from)
        : wholeSpan
  return withMessage(syntaxError(span, trimmedMarkup.text, 'its markup'), refusal.text)
}

/** Returns the diagnostic with the message of the reference implementation. */
export function withMessage(diagnostic: Diagnostic, message: string): Diagnostic {
  return { ...diagnostic, message }
}

/** Returns the markup after a tag's name and white space, up to the delimiter or the end of the line. */
function tagMarkup(text: string, start: number, name: string): TextSlice {
  const isTag = text.startsWith('{%', start)
  const end = text.indexOf(name, start) + name.length
  const markup = isTag
    ? withoutDashes(text, end, text.indexOf('%}', end))
    : { text: text.slice(end, statementEnd(text, end)), at: end }
  const space = /^[ \t\r\n\f\v]*/.exec(markup.text)?.[0].length ?? 0
  return subSlice(markup, space, markup.text.length)
}

/** Returns the text between delimiters, without their dashes and without leading white space. */
function withoutDashes(text: string, from: number, to: number): TextSlice {
  const begins = text[from] === '-' && text.startsWith('{{', from - 2) ? from + 1 : from
  const end = to > begins && text[to - 1] === '-' ? to - 1 : to
  return { text: text.slice(begins, end), at: begins }
}

/**
 * Returns the text of an output up to where the reference implementation stops: at the first `}`, or at the end of a tag that begins
 * inside it.
 */
export function outputToken(text: string, start: number): string {
  for (let at = start + 2; at < text.length; at++) {
    if (text[at] === '}') return text.slice(start, text[at + 1] === '}' ? at + 2 : at + 1)
    if (text.startsWith('{%', at)) {
      const close = text.indexOf('%}', at)
      return text.slice(start, close < 0 ? at + 2 : close + 2)
    }
  }
  return '{{'
}

/** Returns true if every `}` closes a `{` of the markup. The lax mode skips balanced braces. */
function isBalanced(markup: string): boolean {
  let depth = 0
  for (const sign of markup) {
    if (sign === '{') depth++
    if (sign === '}' && --depth < 0) return false
  }
  return depth === 0
}
