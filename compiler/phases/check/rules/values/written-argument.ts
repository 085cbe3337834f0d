/** `written-argument`: a function changes a key in its caller's hash, and the caller reads that key afterwards. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const writtenArgument = message(
  'written-argument',
  'info',
  'WS37',
  (name: string, key: string, partial: string) => ({
    text: `${quote(partial)} changes ${quote(key)} in ${quote(name)}, so the value read below is not the one set above.`,
    hint: `Pass a copy, or let ${quote(partial)} return the new value.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign order = { "total": 5 } %}{% function half = 'half', order: order %}{{ half }} of {{ order.total }}`,
      'app/lib/half.liquid': `{% assign order['total'] = order.total | divided_by: 2 %}{% assign half = order.total %}{% return half %}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% assign order = { "total": 5 } %}{% function half = 'half', order: order %}{{ half }} of {{ order.total }}`,
      'app/lib/half.liquid': '{% assign half = order.total | divided_by: 2 %}{% return half %}',
    },
  },
)
