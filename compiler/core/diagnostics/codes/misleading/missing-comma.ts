/** `missing-comma`: an argument of a call without a comma before it, which is read all the same. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingComma = message(
  'missing-comma',
  'warning',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `A comma is missing before the argument ${quoted(name)}.`,
    hint: `Write \`, ${name}: …\`.`,
    change: { edits: [{ match: '^\\s*', text: ', ' }] },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': "{% render 'card', title: 'x' note: 'y' %}",
      'app/views/partials/card.liquid': '{{ title }}{{ note }}',
    },
    right: {
      'app/views/pages/index.liquid': "{% render 'card', title: 'x', note: 'y' %}",
      'app/views/partials/card.liquid': '{{ title }}{{ note }}',
    },
  },
)
