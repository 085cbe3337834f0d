/** `output-in-literal`: `{{ }}` as a value inside a hash or array literal. Reported by `explainError` (phases/parse/syntax-errors.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const outputInLiteral = message(
  'output-in-literal',
  'error',
  'LiquidHTMLSyntaxError',
  (value: string) => ({
    text: '`{{ }}` is not allowed inside a hash or array literal.',
    hint: `Write the value without braces: ${quote(value)}.`,
    change: value === '{{' ? undefined : { edits: [{ text: value }] },
  }),
  {
    wrong: '{% assign h = { "a": {{ context.params.a }} } %}{{ h.a }}',
    right: '{% assign h = { "a": context.params.a } %}{{ h.a }}',
  },
)
