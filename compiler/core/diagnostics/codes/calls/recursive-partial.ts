/** `recursive-partial`: partials that call each other with no condition that could end it. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const recursivePartial = message(
  'recursive-partial',
  'error',
  'WS11',
  (chain: Iterable<string>) => ({
    text: `This never ends: ${[...chain].map(quoted).join(' calls ')}.`,
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
