/** `missing-partial`: a partial that does not exist. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

export const missingPartial = message(
  'missing-partial',
  'error',
  'MissingPartial',
  (name: string, known: Iterable<string>) => ({
    text: `There is no partial named ${quoted(name)}.`,
    hint: name.startsWith('lib/') ? `Drop \`lib/\`: write \`${name.slice(4)}\`.` : didYouMean(name, known),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'crad' %}{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
