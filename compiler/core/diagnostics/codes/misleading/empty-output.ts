/** `empty-output`: an output without a value. Reported by `TemplateParse` (phases/parse/parse-template.ts). */
import { message } from '../../diagnostic.ts'

export const emptyOutput = message(
  'empty-output',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'This output has no value and prints nothing.',
    hint: 'Add a value, or remove the output.',
    change: { edits: [{ text: '' }] },
  }),
  {
    wrong: '<p>{{ }}</p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
