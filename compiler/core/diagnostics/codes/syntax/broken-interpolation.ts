/**
 * `broken-interpolation`: a `{{ }}` inside a double-quoted string that cannot be parsed. Reported by `explainError`
 * (phases/parse/syntax-errors.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const brokenInterpolation = message(
  'broken-interpolation',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `The \`{{ }}\` inside this string is not valid${found === '' ? '' : ` at ${quote(found)}`}.`,
    hint: 'Close the braces with `}}`, and use single quotes for strings inside it.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '{% assign a = "x {{ context.params[ }} y" %}{{ a }}' },
    right: { 'app/views/pages/index.liquid': '{% assign a = "x {{ context.params.b }} y" %}{{ a }}' },
    both: {
      'app/config.yml': `string_interpolation: true
`,
    },
  },
)
