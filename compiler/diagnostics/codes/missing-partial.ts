/** `missing-partial`: a partial that does not exist. */
import { message } from '../diagnostic.ts'
import { nearestPath } from '../suggest.ts'
import { quoted } from '../words.ts'

export const missingPartial = message(
  'missing-partial',
  'error',
  'MissingPartial',
  (name: string, known: Iterable<string>) => {
    const meant = nearestPath(name, known)
    return {
      text: `There is no partial named ${quoted(name)}.`,
      hint: name.startsWith('lib/')
        ? `Drop \`lib/\`: write \`${name.slice(4)}\`.`
        : meant === null
          ? undefined
          : `Did you mean \`${meant}\`?`,
    }
  },
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'crad' %}{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
