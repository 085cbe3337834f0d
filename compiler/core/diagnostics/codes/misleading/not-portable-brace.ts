/**
 * `not-portable-brace`: a single `}` in a string inside an output. The platform ends the output there. Reported by `TemplateParse`
 * (phases/parse/parse-template.ts).
 */
import { message } from '../../diagnostic.ts'

export const notPortableBrace = message(
  'not-portable-brace',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'On the platform this `}` ends the output, although it is inside a string.',
    hint: 'Assign the string to a variable first, and print the variable.',
    change: {
      edits: [
        {
          target: 'markup',
          match: '^\\{\\{(-?)\\s*([^]*?)\\s*(-?)\\}\\}$',
          text: '{%$1 assign text = $2 %}{{ text $3}}',
        },
      ],
    },
  }),
  {
    wrong: `{{ 'a}b' }}`,
    right: `{% assign text = 'a}b' %}{{ text }}`,
  },
)
