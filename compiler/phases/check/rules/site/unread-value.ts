/** `unread-value`: a field of `context.exports` or `context.session` that a tag writes but nothing reads. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { requestNames } from '../../site/request-names.ts'

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

/** Reports names that nothing reads, unless a read with a misspelling of the name is reported instead. */
export function checkUnreadValues(checked: CheckedSite): readonly Diagnostic[] {
  const { written, reads, readsAll, unwritten } = requestNames(checked)
  if (readsAll) return []
  const meantNames = new Set(unwritten.map(({ similarName }) => similarName))
  const isRead = (name: string) =>
    reads.some((read) => read.name === name || (read.isWhole && name.startsWith(`${read.name}.`)))
  return [...written.names].flatMap(([name, span]) =>
    meantNames.has(name) || isRead(name) ? [] : [unreadValue(span, `context.${name}`)],
  )
}
