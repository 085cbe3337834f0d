/** `unused-partial`: a partial that nothing can reach. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedPartial = message(
  'unused-partial',
  'info',
  'WS09',
  (name: string) => ({
    text: `Nothing calls the partial ${quoted(name)}.`,
    hint: 'Take it away when no module or computed name needs it.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/views/partials/old.liquid': 'y' },
    right: { 'app/views/pages/index.liquid': `{% render 'old' %}`, 'app/views/partials/old.liquid': 'y' },
  },
)
