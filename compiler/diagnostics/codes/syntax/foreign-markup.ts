/** `foreign-markup`: what other template languages write, or half a delimiter, in a text: it is printed as it stands. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const foreignMarkup = message(
  'foreign-markup',
  'warning',
  'LiquidHTMLSyntaxError',
  (found: string, instead: string) => ({
    text: `${quoted(found)} is printed as it stands.`,
    hint: `Write \`${instead}\`.`,
  }),
  {
    wrong: '<p><%= context.params.a %></p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
