/** `unread-value`: a field of `context.exports` or `context.session` that a tag writes and nothing reads. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unreadValue = message(
  'unread-value',
  'info',
  'UnreadValue',
  (name: string) => ({
    text: `Nothing reads ${quoted(name)}.`,
    hint: 'Leave the tag out, unless something outside of this site reads it.',
  }),
  {
    wrong: `{% assign total = 3 %}{% export total, namespace: 'cart' %}`,
    right: `{% assign total = 3 %}{% export total, namespace: 'cart' %}{{ context.exports.cart.total }}`,
  },
)
