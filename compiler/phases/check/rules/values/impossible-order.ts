/** `impossible-order`: text and a number that are compared by order, which raises an error. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, capitalize } from '../../../../core/diagnostics/words.ts'

export const impossibleOrder = message(
  'impossible-order',
  'error',
  'WS20',
  /** `written`: a number in quotes. */
  (left: string, right: string, writtenText: string | null = null) => ({
    text: `${capitalize(withArticle(left))} cannot be compared by order with ${withArticle(right)}, so this raises an error.`,
    hint:
      writtenText === null
        ? 'Convert the text to a number first, with `plus: 0`.'
        : `Write \`${writtenText.slice(1, -1)}\`, without quotes.`,
    change: writtenText === null ? undefined : { edits: [{ part: writtenText, text: writtenText.slice(1, -1) }] },
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n > '0' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n > 0 %}yes{% endif %}`,
  },
)
