/** Converts syntax notes and leftover markup into diagnostics. The mode decides which of them are errors. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { conditionSyntax } from '../../core/diagnostics/codes/syntax/condition-syntax.ts'
import { cutText } from '../../core/diagnostics/codes/misleading/cut-text.ts'
import { crowdedOperator } from '../../core/diagnostics/codes/misleading/crowded-operator.ts'
import { digitName } from '../../core/diagnostics/codes/misleading/digit-name.ts'
import { docSyntax } from '../../core/diagnostics/codes/syntax/doc-syntax.ts'
import { elseIf } from '../../core/diagnostics/codes/misleading/else-if.ts'
import { emptyFilter } from '../../core/diagnostics/codes/syntax/empty-filter.ts'
import { filterComma } from '../../core/diagnostics/codes/syntax/filter-comma.ts'
import { filteredTextInLiteral } from '../../core/diagnostics/codes/syntax/filtered-text-in-literal.ts'
import { filterInCondition } from '../../core/diagnostics/codes/syntax/filter-in-condition.ts'
import { filterNameSyntax } from '../../core/diagnostics/codes/syntax/filter-name-syntax.ts'
import { filterWithoutEffect } from '../../core/diagnostics/codes/tags-and-filters/filter-without-effect.ts'
import { incompleteComparison } from '../../core/diagnostics/codes/syntax/incomplete-comparison.ts'
import { interpolationOff } from '../../core/diagnostics/codes/misleading/interpolation-off.ts'
import { invalidName } from '../../core/diagnostics/codes/syntax/invalid-name.ts'
import { jsonLiteralQuoteStyle } from '../../core/diagnostics/codes/syntax/json-literal-quote-style.ts'
import { lateReversed } from '../../core/diagnostics/codes/misleading/late-reversed.ts'
import { literalAccessor } from '../../core/diagnostics/codes/syntax/literal-accessor.ts'
import { missingComma } from '../../core/diagnostics/codes/misleading/missing-comma.ts'
import { nestedArgument } from '../../core/diagnostics/codes/misleading/nested-argument.ts'
import { nestingTooDeep } from '../../core/diagnostics/codes/syntax/nesting-too-deep.ts'
import { parenthesesInCondition } from '../../core/diagnostics/codes/syntax/parentheses-in-condition.ts'
import { pushInOutput } from '../../core/diagnostics/codes/syntax/push-in-output.ts'
import { severalAssignValues } from '../../core/diagnostics/codes/syntax/several-assign-values.ts'
import { severalValues } from '../../core/diagnostics/codes/syntax/several-values.ts'
import { spaceInTarget } from '../../core/diagnostics/codes/syntax/space-in-target.ts'
import { strayMarkup } from '../../core/diagnostics/codes/misleading/stray-markup.ts'
import { symbolOperator } from '../../core/diagnostics/codes/syntax/symbol-operator.ts'
import { syntaxError } from '../../core/diagnostics/codes/syntax/syntax-error.ts'
import { unclosedString } from '../../core/diagnostics/codes/syntax/unclosed-string.ts'
import { unknownOperator } from '../../core/diagnostics/codes/syntax/unknown-operator.ts'
import { unsupportedStringEscape } from '../../core/diagnostics/codes/misleading/unsupported-string-escape.ts'
import type { Language } from '../../language/language.ts'
import type { Span } from '../../core/source/span.ts'
import type { Dialect, Syntax } from '../../core/model/dialect.ts'
import { MAX_PARTS, type SyntaxNote } from '../../language/syntax/grammar-base.ts'
import { MAX_BRACKET_DEPTH } from './deep-brackets.ts'
import type { Item } from './item.ts'

/** Tags that call a partial, query or form by name. */
const CALLS: ReadonlySet<string> = new Set(
  'render include function graphql background include_form theme_render_rc'.split(' '),
)

const OPERATORS = ['==', '!=', '<', '>', '<=', '>=', 'contains', 'and', 'or']

/** The language and mode. They determine which notes are errors. */
export interface LanguageMode {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** The language, with the tags and filters that a host adds. */
  readonly language?: Language
  /** Whether to continue after markup that base Liquid refuses, to report further problems. */
  readonly readOn?: boolean
}

/** Returns the text between two offsets of the file; empty if the offsets are not known. */
export type TextBetween = (start: number, end: number) => string

/** Returns the notes to report. Adjacent skipped tokens become one note, and each invalid name is reported once. */
export function mergeNotes(notes: readonly SyntaxNote[], source: TextBetween): readonly SyntaxNote[] {
  const names = new Set<string>()
  const list: SyntaxNote[] = []
  for (const note of notes) {
    const last = list.at(-1)
    if (
      last !== undefined &&
      last.kind === note.kind &&
      note.kind.startsWith('junk-') &&
      source(last.span.end, note.span.start).trim() === ''
    ) {
      list[list.length - 1] = { ...last, span: { ...last.span, end: Math.max(last.span.end, note.span.end) } }
    } else if (note.kind !== 'digit-name' || !names.has(note.text)) list.push(note)
    if (note.kind === 'digit-name') names.add(note.text)
  }
  return list
}

/** Converts a note to a diagnostic. Returns null if the mode accepts it. `tag` is the tag that contains the note. */
export function noteDiagnostic(
  note: SyntaxNote,
  tag: string | null,
  mode: LanguageMode,
  source: TextBetween,
): Diagnostic | null {
  const { span, text } = note
  if (note.kind === 'too-long') return nestingTooDeep(span, MAX_PARTS)
  if (note.kind === 'too-deep') return nestingTooDeep(span, MAX_BRACKET_DEPTH)
  if (note.kind === 'question-target') return mode.dialect === 'liquid' ? invalidName(span, text) : null
  const strict = mode.syntax === 'lax' ? null : strictNoteDiagnostic(note, mode)
  if (mode.dialect === 'liquid' || strict !== null) return strict
  switch (note.kind) {
    case 'junk-before-value':
      if (text === "'" || text === '"') return unclosedString({ ...span, end: span.start + 1 }, text)
      return invalidLettersDiagnostic(span, source) ?? strayMarkup(span, skippedText(note, source), tag ?? '{{ }}')
    case 'junk-after-value': {
      const known = escapedQuoteDiagnostic(span, source) ?? invalidLettersDiagnostic(span, source)
      if (known !== null) return known
      if (text === '<<') return pushInOutput(span)
      if (text === '&' || text === '&&') return symbolOperator(span, '&&', 'and')
      if (text === "'" || text === '"') return unclosedString({ ...span, end: span.start + 1 }, text)
      return tag === 'assign'
        ? severalAssignValues(span, skippedText(note, source))
        : severalValues(span, skippedText(note, source))
    }
    case 'junk-after-filter':
      if (text === "'" || text === '"') return unclosedString({ ...span, end: span.start + 1 }, text)
      return (
        escapedQuoteDiagnostic(span, source) ??
        invalidLettersDiagnostic(span, source) ??
        filterNameSyntax(span, '', skippedText(note, source))
      )
    case 'empty-filter':
      return emptyFilter(span)
    case 'comma-for-colon':
      return filterComma(span, '')
    case 'missing-comma':
      // No comma is expected between the name of a tag and its first argument.
      if (tag === null || !CALLS.has(tag) || source(span.start - tag.length, span.start) === tag) return null
      return missingComma(span, text)
    case 'parenthesis':
      return parenthesesInCondition(span)
    case 'unknown-operator':
      return unknownOperator(span, text, OPERATORS)
    case 'single-quoted-json':
      return jsonLiteralQuoteStyle(span, text)
    case 'filtered-json-string':
      return filteredTextInLiteral(span, text, source(span.start, span.end))
    case 'unspaced-operator':
      return crowdedOperator(span, text)
    case 'digit-name':
      return digitName(span, text)
    case 'question-name':
      return invalidName(span, text)
    case 'accessor-on-literal':
      return literalAccessor(span)
    case 'missing-value':
      return incompleteComparison(span, text)
    case 'filter-without-effect':
      return filterWithoutEffect(span, tag === null ? 'an argument' : `the arguments of \`${tag}\``)
    case 'at-sign':
      return strayMarkup(span, text, tag ?? '{{ }}')
    case 'nested-argument':
      return nestedArgument(span, text, skippedText(note, source))
    case 'cut-text':
      return closesAfterTag(span, text, source) ? cutText(span) : unclosedString(span, text)
    case 'junk-between-arguments':
      return strayMarkup(span, skippedText(note, source), tag ?? '{{ }}')
    case 'braces-in-text':
      return interpolationOff(span)
    case 'space-in-target':
      return spaceInTarget(span, text)
    default:
      return null
  }
}

/** Maximum number of characters between an opening and a closing quote. */
const MAX_TEXT_LENGTH = 2_000

/** Returns true if the closing quote is after the end of the tag and followed by a surplus `%}`: the text then contains a `%}`. */
function closesAfterTag(span: Span, quote: string, source: TextBetween): boolean {
  const text = source(span.end, span.end + MAX_TEXT_LENGTH)
  const from = text.indexOf('%}')
  if (from < 0) return false
  let open = 0
  for (const { 0: sign, index } of text.slice(from + 2).matchAll(/\{%|%\}|\n[ \t\r]*\n/g)) {
    if (sign === '{%') open++
    else if (sign !== '%}') return false
    else if (--open < 0) return text.slice(from + 2, from + 2 + index).includes(quote)
  }
  return false
}

function skippedText({ span, text }: SyntaxNote, source: TextBetween): string {
  const skipped = source(span.start, span.end)
  return skipped === '' ? text : skipped
}

/** Reports a backslash before a quote. The backslash does not escape the quote, so the string ends there. */
function escapedQuoteDiagnostic(span: Span, source: TextBetween): Diagnostic | null {
  const quote = /\\(["'])$/.exec(source(span.start - 2, span.start))?.[1]
  if (quote === undefined) return null
  const quoteSpan = { ...span, start: span.start - 2, end: span.start }
  const textBefore = source(Math.max(0, quoteSpan.start - MAX_TEXT_LENGTH), quoteSpan.start)
  const open = textBefore.lastIndexOf(quote)
  const whole = new RegExp(`^${quote}((?:[^${quote}\\\\\n]|\\\\.)*)${quote}`).exec(
    source(quoteSpan.start - textBefore.length + open, quoteSpan.end + MAX_TEXT_LENGTH),
  )
  const start = quoteSpan.start - textBefore.length + open
  return unsupportedStringEscape(
    quoteSpan,
    quote,
    open < 0 || whole === null ? null : { ...span, start, end: start + whole[0].length },
    whole?.[1] ?? '',
  )
}

/** Reports a word with letters that are not allowed in names. */
export function invalidLettersDiagnostic(span: Span, source: TextBetween): Diagnostic | null {
  if (!/^\p{L}/u.test(source(span.start, span.start + 2)) || /^[A-Za-z]/.test(source(span.start, span.start + 1)))
    return null
  const textBefore = /[\p{L}\p{N}_-]*$/u.exec(source(Math.max(0, span.start - 60), span.start))?.[0] ?? ''
  const textAfter = /^[\p{L}\p{N}_-]+/u.exec(source(span.start, span.start + 60))?.[0] ?? ''
  return invalidName(
    { ...span, start: span.start - textBefore.length, end: span.start + textAfter.length },
    textBefore + textAfter,
  )
}

/** Returns the error for a note in a strict mode of base Liquid, which rejects all syntax outside of its grammar. */
function strictNoteDiagnostic(note: SyntaxNote, { dialect, syntax }: LanguageMode): Diagnostic | null {
  switch (note.kind) {
    case 'unspaced-operator':
    case 'comma-for-colon':
    case 'missing-comma':
    case 'question-name':
    case 'digit-name':
      return null
    case 'numeric-key':
      return dialect === 'liquid' ? syntaxError(note.span, note.text, 'a name') : null
    case 'bare-bracket':
      return syntax === 'strict2' ? syntaxError(note.span, '[', 'a name') : null
    case 'filter-without-effect':
    case 'junk-between-arguments':
    case 'nested-argument':
    case 'braces-in-text':
    case 'space-in-target':
      return null
    case 'unknown-operator':
      return syntax === 'strict2' ? syntaxError(note.span, note.text, 'an operator') : null
    default:
      return syntaxError(note.span, note.text === '' ? 'this' : note.text, 'the end of the value')
  }
}

/** Reports markup that a tag or output did not consume. Returns null if the mode ignores it. */
export function leftoverDiagnostic(
  item: Extract<Item, { readonly leftoverSpan: Span | null }>,
  source: TextBetween,
  mode: LanguageMode,
): Diagnostic | null {
  const span = item.leftoverSpan
  if (span === null) return null
  const text = source(span.start, span.end)
  if (mode.dialect === 'liquid' || mode.syntax !== 'lax') {
    if (
      mode.syntax === 'lax' ||
      (item.kind === 'branch' && item.writtenName.name === 'else') ||
      item.kind === 'end' ||
      item.kind === 'unknown'
    )
      return null
    return syntaxError(span, text, 'the end of the markup')
  }
  const known =
    item.kind === 'end' || item.kind === 'unknown'
      ? null
      : (escapedQuoteDiagnostic(span, source) ?? invalidLettersDiagnostic(span, source))
  if (known !== null) return known
  if (item.kind === 'output')
    return text.startsWith('<<')
      ? pushInOutput(span)
      : /^['"]/.test(text)
        ? unclosedString(span, text.charAt(0))
        : severalValues(span, text)
  if (item.kind === 'end' || item.kind === 'unknown')
    // `end if` is reported as the intended end tag.
    return item.kind === 'end' && item.writtenName.name !== 'end'
      ? strayMarkup(span, text, item.writtenName.name)
      : null
  const name = item.writtenName.name
  if (item.kind === 'branch') {
    if (name === 'else' && /^if\b/.test(text)) return elseIf(span)
    return name === 'elsif' ? conditionDiagnostic(span, text) : strayMarkup(span, text, name)
  }
  if (name === 'if' || name === 'unless') return conditionDiagnostic(span, text)
  if ((name === 'for' || name === 'tablerow') && /^reversed\b/.test(text)) return lateReversed(span)
  if (item.kind !== 'open') return null
  if (item.tag.leftover !== 'error') return item.tag.leftover === 'ignored' ? null : strayMarkup(span, text, name)
  if (name === 'doc') return docSyntax(span, text)
  return name === 'assign' ? severalAssignValues(span, text) : syntaxError(span, text, 'the end of the tag')
}

function conditionDiagnostic(span: Span, text: string): Diagnostic {
  if (/^\|\s*\w/.test(text)) return filterInCondition(span, /^\|\s*(\w+)/.exec(text)?.[1] ?? '')
  if (text.startsWith('&&') || text.startsWith('&')) return symbolOperator(span, '&&', 'and')
  if (text.startsWith('||')) return symbolOperator(span, '||', 'or')
  return conditionSyntax(span, text)
}
