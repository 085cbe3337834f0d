/**
 * `interpolation-off`: `{{ }}` inside a string while `string_interpolation` is off. Reported by `noteDiagnostic` (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'

export const interpolationOff = message(
  'interpolation-off',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: '`{{ }}` inside a string is printed unchanged, because `string_interpolation` is off.',
    hint: 'Set `string_interpolation: true` in `app/config.yml`, or use the filter `append`.',
  }),
  {
    wrong: '{% assign a = "x {{ context.params.b }}" %}{{ a }}',
    right: {
      'app/config.yml': `string_interpolation: true
`,
      'app/views/pages/index.liquid': '{% assign a = "x {{ context.params.b }}" %}{{ a }}',
    },
  },
)
