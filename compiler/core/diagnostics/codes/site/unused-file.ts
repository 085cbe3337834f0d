/** `unused-file`: a layout, form, policy or notification that nothing names. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedFile = message(
  'unused-file',
  'info',
  'UnusedFile',
  (noun: string, name: string) => ({
    text: `Nothing of this site names the ${noun} ${quoted(name)}.`,
    hint: 'Take it away, unless a computed name or a program needs it.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/views/layouts/old.liquid': '<html lang="en">{{ content_for_layout }}</html>',
    },
    right: {
      'app/views/pages/index.liquid': '---\nlayout: old\n---\nx',
      'app/views/layouts/old.liquid': '<html lang="en">{{ content_for_layout }}</html>',
    },
  },
)
