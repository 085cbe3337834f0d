/** `unescaped-input`: user input that is printed as HTML. `words`: how the author names the value. `how`: what prints it. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { type ReachedSink, inputOf, sourceElsewhere } from '../../site/taint.ts'

export const unescapedInput = message(
  'unescaped-input',
  'warning',
  'WS25',
  (words: string, how: 'output' | 'print', source: Span | null) => ({
    text: `${words} is user input and is printed here without escaping, so an attacker can add scripts to the page.`,
    hint:
      how === 'print'
        ? 'Print the input with `{{ }}`, which escapes it.'
        : 'Remove `html_safe`, which also decodes already escaped text. To allow harmless HTML, use `sanitize`.',
    change: {
      edits: [
        how === 'print'
          ? { target: 'markup', match: '^\\{%(-?)\\s*print\\s+([^]*?)\\s*(-?)%\\}$', text: '{{$1 $2 $3}}' }
          : { target: 'markup', match: '\\s*\\|\\s*html_safe\\b(?!\\s*:)', text: '' },
      ],
    },
    related: relatedAt(source, 'the input is read here'),
  }),
  {
    wrong: '<p>{% print context.params.q %}</p>',
    right: '<p>{{ context.params.q }}</p>',
  },
)

/** Reports user input that is printed without escaping, at places that `unsafe-place` does not report. */
export function checkUnescapedInput(reached: ReachedSink): Diagnostic | null {
  const input = inputOf(reached)
  return input === null
    ? null
    : unescapedInput(reached.sink.span, input.source.words, input.how, sourceElsewhere(reached, input.source))
}
