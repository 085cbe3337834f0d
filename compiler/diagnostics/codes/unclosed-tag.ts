/** `unclosed-tag`: a block without its end. */
import { message } from '../diagnostic.ts'

export const unclosedTag = message(
  'unclosed-tag',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `The tag \`${name}\` is never closed.`,
    hint: `Write \`{% end${name} %}\` where it ends.`,
  }),
  {
    wrong: '{% if context.params.a %}yes',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
