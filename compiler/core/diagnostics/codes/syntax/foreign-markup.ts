/**
 * `foreign-markup`: markup of another template language, or half a delimiter. It is printed unchanged. Reported by `findForeignMarkup`
 * (phases/parse/foreign-markup.ts).
 */
import { replaceWith } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const foreignMarkup = message(
  'foreign-markup',
  'warning',
  'LiquidHTMLSyntaxError',
  (found: string, markup: string) => ({
    subject: { kind: 'markup', name: found, meant: markup },
    text: `${quote(found)} is not Liquid, so it is printed unchanged.`,
    ...replaceWith(markup, false),
  }),
  {
    wrong: '<p><%= context.params.a %></p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
