/** `unwritten-value`: a field of `context.exports` or `context.session` that is read but never written. */
import { suggestReplacement } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { requestNames } from '../../site/request-names.ts'

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

export const unwrittenValue = message(
  'unwritten-value',
  'warning',
  'UnwrittenValue',
  /** `suggestion`: the field that is written and was probably meant. */
  (name: string, suggestion: string | null) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is never written, so it is always nil.`,
    ...(suggestReplacement(
      lastSegment(name),
      suggestion === null || lastSegment(suggestion) === lastSegment(name) ? null : lastSegment(suggestion),
    ) ?? {
      hint: `Set it with \`${name.startsWith('context.session') ? 'session' : 'export'}\` first, or remove the code that reads it.`,
    }),
  }),
  {
    wrong: `{{ context.session.cart_size }}`,
    right: `{% session cart_size = 1 %}{{ context.session.cart_size }}`,
  },
)

/** Reports reads of names that no tag writes. A read with a check is reported only if the name is a misspelling. */
export function checkUnwrittenValues(checked: CheckedSite): readonly Diagnostic[] {
  const { unwritten } = requestNames(checked)
  return unwritten.flatMap(({ name, span, isGuarded, similarName }) =>
    similarName === null && isGuarded
      ? []
      : [unwrittenValue(span, `context.${name}`, similarName === null ? null : `context.${similarName}`)],
  )
}
