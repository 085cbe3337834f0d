/** `dropped-return`: a value that `return` gives and nobody takes. `partial` is null where the page itself returns one. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const droppedReturn = message(
  'dropped-return',
  'warning',
  'WS08',
  (partial: string | null, returned: Span | null) => ({
    text:
      partial === null
        ? 'Nobody takes the value that is returned here.'
        : `The partial ${quoted(partial)} returns a value, and this call drops it.`,
    hint:
      partial === null
        ? 'Print the value with `print`, or write `return` without one.'
        : `Write \`{% function result = '${partial}' %}\`.`,
    related: returned === null ? [] : [{ span: returned, message: 'it is returned here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'one' %}`, 'app/lib/one.liquid': '{% return 1 %}' },
    right: {
      'app/views/pages/index.liquid': `{% function one = 'one' %}{{ one }}`,
      'app/lib/one.liquid': '{% return 1 %}',
    },
  },
)
