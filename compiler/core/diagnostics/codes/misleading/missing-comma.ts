/**
 * `missing-comma`: an argument of a call without a comma before it. It is still read. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const missingComma = message(
  'missing-comma',
  'warning',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `A comma is missing before the argument ${quote(name)}.`,
    hint: `Write \`, ${name}: …\`.`,
    change: { edits: [{ match: '^\\s*', text: ', ' }] },
  }),
  {
    wrong: "{% render 'card', title: 'x' note: 'y' %}",
    right: "{% render 'card', title: 'x', note: 'y' %}",
    both: { 'app/views/partials/card.liquid': '{{ title }}{{ note }}' },
  },
)
