/** `broken-interpolation`: a `{{ }}` inside a double-quoted text that cannot be read. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const brokenInterpolation = message(
  'broken-interpolation',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `The \`{{ }}\` inside this text cannot be read${found === '' ? '' : ` at ${quoted(found)}`}.`,
    hint: 'Close it with `}}`, and write texts inside it in single quotes.',
  }),
  {
    wrong: {
      'app/config.yml': `string_interpolation: true
`,
      'app/views/pages/index.liquid': '{% assign a = "x {{ context.params[ }} y" %}{{ a }}',
    },
    right: {
      'app/config.yml': `string_interpolation: true
`,
      'app/views/pages/index.liquid': '{% assign a = "x {{ context.params.b }} y" %}{{ a }}',
    },
  },
)
