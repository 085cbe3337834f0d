/** What lax productions noted and what markup was left over, as diagnostics: which of them are errors depends on the mode. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { conditionSyntax } from '../diagnostics/codes/condition-syntax.ts'
import { crowdedOperator } from '../diagnostics/codes/crowded-operator.ts'
import { digitName } from '../diagnostics/codes/digit-name.ts'
import { docSyntax } from '../diagnostics/codes/doc-syntax.ts'
import { elseIf } from '../diagnostics/codes/else-if.ts'
import { emptyFilter } from '../diagnostics/codes/empty-filter.ts'
import { filterComma } from '../diagnostics/codes/filter-comma.ts'
import { filteredTextInLiteral } from '../diagnostics/codes/filtered-text-in-literal.ts'
import { filterInCondition } from '../diagnostics/codes/filter-in-condition.ts'
import { filterNameSyntax } from '../diagnostics/codes/filter-name-syntax.ts'
import { filterWithoutEffect } from '../diagnostics/codes/filter-without-effect.ts'
import { incompleteComparison } from '../diagnostics/codes/incomplete-comparison.ts'
import { invalidName } from '../diagnostics/codes/invalid-name.ts'
import { jsonLiteralQuoteStyle } from '../diagnostics/codes/json-literal-quote-style.ts'
import { lateReversed } from '../diagnostics/codes/late-reversed.ts'
import { literalAccessor } from '../diagnostics/codes/literal-accessor.ts'
import { parenthesesInCondition } from '../diagnostics/codes/parentheses-in-condition.ts'
import { pushInOutput } from '../diagnostics/codes/push-in-output.ts'
import { severalAssignValues } from '../diagnostics/codes/several-assign-values.ts'
import { severalValues } from '../diagnostics/codes/several-values.ts'
import { strayMarkup } from '../diagnostics/codes/stray-markup.ts'
import { symbolOperator } from '../diagnostics/codes/symbol-operator.ts'
import { syntaxError } from '../diagnostics/codes/syntax-error.ts'
import { unclosedString } from '../diagnostics/codes/unclosed-string.ts'
import { unknownOperator } from '../diagnostics/codes/unknown-operator.ts'
import type { Span } from '../source/span.ts'
import type { Dialect, Syntax } from '../model/dialect.ts'
import type { Note } from '../syntax/grammar.ts'
import type { Item } from './parser.ts'

const OPERATORS = ['==', '!=', '<', '>', '<=', '>=', 'contains', 'and', 'or']

/** The mode that decides. */
export interface Mode {
  readonly dialect: Dialect
  readonly syntax: Syntax
}

/** A note as a diagnostic, or null where the mode accepts it silently. `tag` is the tag whose markup it stands in. */
export function noted(note: Note, tag: string | null, mode: Mode): Diagnostic | null {
  const { span, text } = note
  if (note.kind === 'question-target') return mode.dialect === 'liquid' ? invalidName(span, text) : null
  const strict = mode.syntax === 'lax' ? null : strictly(note, mode)
  if (mode.dialect === 'liquid' || strict !== null) return strict
  switch (note.kind) {
    case 'junk-before-value':
      return text === "'" || text === '"' ? unclosedString(span, text) : strayMarkup(span, text, tag ?? '{{ }}')
    case 'junk-after-value':
      if (text === '<<') return pushInOutput(span)
      if (text === '&' || text === '&&') return symbolOperator(span, '&&', 'and')
      if (text === "'" || text === '"') return unclosedString(span, text)
      return tag === 'assign' ? severalAssignValues(span, text) : severalValues(span, text)
    case 'junk-after-filter':
      return text === "'" || text === '"' ? unclosedString(span, text) : filterNameSyntax(span, '', text)
    case 'empty-filter':
      return emptyFilter(span)
    case 'comma-for-colon':
      return filterComma(span, '')
    case 'parenthesis':
      return parenthesesInCondition(span)
    case 'unknown-operator':
      return unknownOperator(span, text, OPERATORS)
    case 'single-quoted-json':
      return jsonLiteralQuoteStyle(span, text)
    case 'filtered-json-string':
      return filteredTextInLiteral(span, text)
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
    case 'junk-between-arguments':
      return strayMarkup(span, text, tag ?? '{{ }}')
    default:
      return null
  }
}

/** Base Liquid's strict modes refuse every production that is not in its strict grammar. */
function strictly(note: Note, { dialect, syntax }: Mode): Diagnostic | null {
  switch (note.kind) {
    case 'unspaced-operator':
    case 'comma-for-colon':
    case 'question-name':
    case 'digit-name':
      return null
    case 'numeric-key':
      return dialect === 'liquid' ? syntaxError(note.span, note.text, 'a name') : null
    case 'bare-bracket':
      return syntax === 'strict2' ? syntaxError(note.span, '[', 'a name') : null
    case 'filter-without-effect':
    case 'junk-between-arguments':
      return null
    case 'unknown-operator':
      return syntax === 'strict2' ? syntaxError(note.span, note.text, 'an operator') : null
    default:
      return syntaxError(note.span, note.text === '' ? 'this' : note.text, 'the end of the value')
  }
}

/** Markup that a tag or output left over, as a diagnostic; null where it is ignored silently. */
export function leftOver(item: Extract<Item, { readonly leftover: Span | null }>, source: (start: number, end: number) => string, mode: Mode): Diagnostic | null {
  const span = item.leftover
  if (span === null) return null
  const text = source(span.start, span.end)
  if (mode.dialect === 'liquid' || mode.syntax !== 'lax') {
    if (mode.syntax === 'lax' || item.kind === 'branch' && item.written.name === 'else' || item.kind === 'end' || item.kind === 'unknown') return null
    return syntaxError(span, text, 'the end of the markup')
  }
  if (item.kind === 'output') return text.startsWith('<<') ? pushInOutput(span) : /^['"]/.test(text) ? unclosedString(span, text[0] as string) : severalValues(span, text)
  if (item.kind === 'end' || item.kind === 'unknown') return item.kind === 'end' ? strayMarkup(span, text, item.written.name) : null
  const name = item.written.name
  if (item.kind === 'branch') {
    if (name === 'else' && /^if\b/.test(text)) return elseIf(span)
    return name === 'elsif' ? condition(span, text) : strayMarkup(span, text, name)
  }
  if (name === 'if' || name === 'unless') return condition(span, text)
  if ((name === 'for' || name === 'tablerow') && /^reversed\b/.test(text)) return lateReversed(span)
  if (item.kind !== 'open') return null
  if (item.tag.leftover !== 'error') return item.tag.leftover === 'ignored' ? null : strayMarkup(span, text, name)
  if (name === 'doc') return docSyntax(span, text)
  return name === 'assign' ? severalAssignValues(span, text) : syntaxError(span, text, 'the end of the tag')
}

function condition(span: Span, text: string): Diagnostic {
  if (/^\|\s*\w/.test(text)) return filterInCondition(span, /^\|\s*(\w+)/.exec(text)?.[1] ?? '')
  if (text.startsWith('&&') || text.startsWith('&')) return symbolOperator(span, '&&', 'and')
  if (text.startsWith('||')) return symbolOperator(span, '||', 'or')
  return conditionSyntax(span, text)
}
