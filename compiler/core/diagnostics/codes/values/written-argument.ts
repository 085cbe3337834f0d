/** `written-argument`: a function writes into a hash of its caller, who reads there what it has set itself. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const writtenArgument = message(
  'written-argument',
  'info',
  'WS37',
  (name: string, key: string, partial: string) => ({
    text: `${quoted(partial)} writes ${quoted(key)} into ${quoted(name)}, which is the same value here: what is read of it below is no longer what was set above.`,
    hint: `Pass a copy, or let ${quoted(partial)} return it.`,
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
