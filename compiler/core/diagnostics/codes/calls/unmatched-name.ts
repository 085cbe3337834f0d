/** `unmatched-name`: a computed name of which an end is known, and no partial has that end. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unmatchedName = message(
  'unmatched-name',
  'warning',
  'WS10',
  (prefix: string, suffix: string, near: string | null) => ({
    text: `No partial has a name that ${ends(prefix, suffix)}, as this computed name does.`,
    hint:
      near === null
        ? undefined
        : prefix === `lib/${near}`
          ? `Drop \`lib/\`: begin the name with ${quoted(near)}.`
          : `Did you mean ${quoted(near)}?`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign name = 'crads/' | append: context.params.a %}{% include name %}{% render 'cards/one' %}`,
      'app/views/partials/cards/one.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'cards/one' %}`, 'app/views/partials/cards/one.liquid': 'x' },
  },
)

function ends(prefix: string, suffix: string): string {
  const first = prefix === '' ? null : `begins with ${quoted(prefix)}`
  const last = suffix === '' ? null : `ends with ${quoted(suffix)}`
  return [first, last].filter((each) => each !== null).join(' and ')
}
