/** `literal-position`: a hash literal at a place that takes none. */
import { message } from '../../diagnostic.ts'
import { a, upper } from '../../words.ts'

export const literalPosition = message(
  'literal-position',
  'error',
  'LiquidHTMLSyntaxError',
  (kind: string, place: string) => ({
    text: `${upper(a(kind))} literal cannot stand in ${place}.`,
    hint: 'Assign it to a variable first and write the variable here.',
    change: {
      edits: [
        {
          reach: 'markup',
          match: '^(\\{[{%]-?\\s*)((?:\\w+\\s+)?)([{[][^]*[}\\]])\\s*(-?[%}]\\})$',
          text: '{% assign value = $3 %}$1$2value $4',
        },
      ],
      safe: false,
    },
  }),
  {
    wrong: '{% print { "a": 1 } %}',
    right: '{% assign h = { "a": 1 } %}{% print h %}',
  },
)
