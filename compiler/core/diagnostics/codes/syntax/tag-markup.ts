/** `tag-markup`: a known tag whose markup does not have the form that the tag needs. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const tagMarkup = message(
  'tag-markup',
  'error',
  'LiquidHTMLSyntaxError',
  (tag: string, usage: string) => ({
    text: `The tag \`${tag}\` cannot be read.`,
    hint: `It is written ${quoted(usage)}.`,
  }),
  {
    wrong: '{% render %}',
    right: {
      'app/views/pages/index.liquid': `{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
  },
)
