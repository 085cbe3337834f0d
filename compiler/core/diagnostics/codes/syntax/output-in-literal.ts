/** `output-in-literal`: `{{ }}` as a value inside a hash or array literal. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const outputInLiteral = message(
  'output-in-literal',
  'error',
  'LiquidHTMLSyntaxError',
  (value: string) => ({
    text: '`{{ }}` cannot be a value inside a literal.',
    hint: `Write the value itself: ${quoted(value)}.`,
    change: value === '{{' ? undefined : { edits: [{ text: value }] },
  }),
  {
    wrong: '{% assign h = { "a": {{ context.params.a }} } %}{{ h.a }}',
    right: '{% assign h = { "a": context.params.a } %}{{ h.a }}',
  },
)
