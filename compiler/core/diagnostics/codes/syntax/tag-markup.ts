/** `tag-markup`: a known tag with invalid markup. Reported by `explainError` (phases/parse/syntax-errors.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const tagMarkup = message(
  'tag-markup',
  'error',
  'LiquidHTMLSyntaxError',
  (tag: string, usage: string) => ({
    text: `The markup of the tag \`${tag}\` is not valid.`,
    hint: `Write the tag as ${quote(usage)}.`,
  }),
  {
    wrong: '{% render %}',
    right: {
      'app/views/pages/index.liquid': `{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
  },
)
