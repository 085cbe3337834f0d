/** `recursive-partial`: partials that call each other without a condition that ends the recursion. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const recursivePartial = message(
  'recursive-partial',
  'error',
  'WS11',
  (chain: Iterable<string>) => ({
    text: `These calls never end: ${[...chain].map(quote).join(' calls ')}.`,
    hint: 'Put one of the calls under a condition.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'a' %}`,
      'app/views/partials/a.liquid': `{% render 'b' %}`,
      'app/views/partials/b.liquid': `{% render 'a' %}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'a' %}`,
      'app/views/partials/a.liquid': `{% render 'b' %}`,
      'app/views/partials/b.liquid': 'x',
    },
  },
)
