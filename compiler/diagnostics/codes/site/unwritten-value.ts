/** `unwritten-value`: a field of `context.exports` or `context.session` that no tag of the site writes. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unwrittenValue = message(
  'unwritten-value',
  'warning',
  'UnwrittenValue',
  /** `meant`: the one that is written. */
  (name: string, meant: string | null) => ({
    text: `Nothing writes ${quoted(name)}, so it is always nil.`,
    hint:
      meant === null
        ? `Write it with \`{% ${name.startsWith('context.session') ? 'session' : 'export'} %}\`, or leave the read out.`
        : `Did you mean ${quoted(meant)}?`,
  }),
  {
    wrong: `{{ context.session.cart_size }}`,
    right: `{% session cart_size = 1 %}{{ context.session.cart_size }}`,
  },
)
