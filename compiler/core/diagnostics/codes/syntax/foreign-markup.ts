/** `foreign-markup`: what other template languages write, or half a delimiter, in a text: it is printed as it stands. */
import { instead } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const foreignMarkup = message(
  'foreign-markup',
  'warning',
  'LiquidHTMLSyntaxError',
  (found: string, markup: string) => ({
    text: `${quoted(found)} is printed as it stands.`,
    ...instead(markup, false),
  }),
  {
    wrong: '<p><%= context.params.a %></p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
