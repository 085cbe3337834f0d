/** `literal-position`: a hash or array literal where it is not allowed. Reported by `checkHead` (phases/parse/parse-template.ts). */
import { message } from '../../diagnostic.ts'
import { withArticle, capitalize } from '../../words.ts'

export const literalPosition = message(
  'literal-position',
  'error',
  'LiquidHTMLSyntaxError',
  (kind: string, place: string) => ({
    text: `${capitalize(withArticle(kind))} literal is not allowed in ${place}.`,
    hint: 'Assign the literal to a variable first, and use the variable here.',
    change: {
      edits: [
        {
          target: 'markup',
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
