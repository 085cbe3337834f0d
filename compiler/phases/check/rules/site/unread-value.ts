/** `unread-value`: a field of `context.exports` or `context.session` that a tag writes but nothing reads. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unreadValue = message(
  'unread-value',
  'info',
  'UnreadValue',
  (name: string) => ({
    text: `${quote(name)} is never read.`,
    hint: 'Remove the tag, unless the value is read outside of this site.',
  }),
  {
    wrong: `{% assign total = 3 %}{% export total, namespace: 'cart' %}`,
    right: `{% assign total = 3 %}{% export total, namespace: 'cart' %}{{ context.exports.cart.total }}`,
  },
)
