/** `not-portable-brace`: a lone `}` in a text inside an output, at which the platform stops reading. */
import { message } from '../../diagnostic.ts'

export const notPortableBrace = message(
  'not-portable-brace',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'The platform stops reading an output at this `}`.',
    hint: 'Assign the text to a variable first and print the variable.',
    change: {
      edits: [
        {
          reach: 'markup',
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
