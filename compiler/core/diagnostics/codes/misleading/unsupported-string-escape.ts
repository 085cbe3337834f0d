/**
 * `unsupported-string-escape`: a backslash before a quote. The quote still ends the string. Reported by `escapedQuoteDiagnostic`
 * (phases/parse/notes.ts).
 */
import type { Span } from '../../../source/span.ts'
import { type ChangeText, message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

function changeQuotes(span: Span, quoteMark: string, inside: string): ChangeText | undefined {
  const otherQuote = quoteMark === '"' ? "'" : '"'
  return inside.includes(otherQuote)
    ? undefined
    : { edits: [{ span, text: `${otherQuote}${inside.replaceAll(`\\${quoteMark}`, quoteMark)}${otherQuote}` }] }
}

export const unsupportedStringEscape = message(
  'unsupported-string-escape',
  'warning',
  'UnsupportedStringEscape',
  /** `whole`: the span of the string that was meant. `inside`: the text between its quotes. */
  (quoteMark: string, wholeSpan: Span | null = null, inside: string = '') => ({
    text: `A backslash does not escape a quote: the string ends at this ${quote(quoteMark)}, and the rest is ignored.`,
    hint: `Put the string in the other kind of quotes. If it contains both kinds, use \`capture\`.`,
    change: wholeSpan === null ? undefined : changeQuotes(wholeSpan, quoteMark, inside),
  }),
  {
    wrong: '{{ "a \\"b\\"" }}',
    right: `{{ 'a "b"' }}`,
  },
)
