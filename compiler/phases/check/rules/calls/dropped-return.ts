/** `dropped-return`: a returned value that is not used. `partial` is null if the page itself returns it. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const droppedReturn = message(
  'dropped-return',
  'warning',
  'WS08',
  (partial: string | null, returned: Span | null) => ({
    text:
      partial === null
        ? 'The value returned here is not used.'
        : `The partial ${quote(partial)} returns a value, but this call ignores it.`,
    hint:
      partial === null
        ? 'Print the value with `print`, or write `return` without a value.'
        : `Write \`{% function result = '${partial}' %}\`.`,
    related: returned === null ? [] : [{ span: returned, message: 'the value is returned here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'one' %}`, 'app/lib/one.liquid': '{% return 1 %}' },
    right: {
      'app/views/pages/index.liquid': `{% function one = 'one' %}{{ one }}`,
      'app/lib/one.liquid': '{% return 1 %}',
    },
  },
)
