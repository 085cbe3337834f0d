/** `unwritten-value`: a field of `context.exports` or `context.session` that no tag of the site writes. */
import { meant as meantMend } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

export const unwrittenValue = message(
  'unwritten-value',
  'warning',
  'UnwrittenValue',
  /** `meant`: the one that is written. */
  (name: string, meant: string | null) => ({
    text: `Nothing writes ${quoted(name)}, so it is always nil.`,
    ...(meantMend(lastOf(name), meant === null || lastOf(meant) === lastOf(name) ? null : lastOf(meant)) ?? {
      hint: `Set it with \`${name.startsWith('context.session') ? 'session' : 'export'}\` before, or leave the read out.`,
    }),
  }),
  {
    wrong: `{{ context.session.cart_size }}`,
    right: `{% session cart_size = 1 %}{{ context.session.cart_size }}`,
  },
)
