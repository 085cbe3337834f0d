/** `unwritten-value`: a field of `context.exports` or `context.session` that is read but never written. */
import { suggestReplacement } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

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
