/** `missing-dynamic-partial`: a computed name whose known values include a partial that does not exist. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingDynamicPartial = message(
  'missing-dynamic-partial',
  'error',
  'WS10',
  (name: string, known: Iterable<string>) => ({
    text: `This name can be ${quoted(name)}, and there is no such partial.`,
    ...meantName(name, known),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign name = 'crad' %}{% function a = name %}{% function b = 'card' %}{{ a }}{{ b }}`,
      'app/views/partials/card.liquid': '{% return 1 %}',
    },
    right: {
      'app/views/pages/index.liquid': `{% assign name = 'card' %}{% function a = name %}{{ a }}`,
      'app/views/partials/card.liquid': '{% return 1 %}',
    },
  },
)
