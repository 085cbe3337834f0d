/** `unused-file`: a layout, form, policy or notification that is never used. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedFile = message(
  'unused-file',
  'info',
  'UnusedFile',
  (noun: string, name: string) => ({
    text: `The ${noun} ${quote(name)} is never used in this site.`,
    hint: 'Remove the file, unless a computed name or a program uses it.',
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
