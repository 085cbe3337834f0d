/** `unclosed-tag`: a block without its end. */
import { message } from '../../diagnostic.ts'

export const unclosedTag = message(
  'unclosed-tag',
  'error',
  'LiquidHTMLSyntaxError',
  // `bodyless` is the way to write it without a body, where there is one.
  (name: string, bodyless: string | null = null) => ({
    text: `The tag \`${name}\` is never closed.`,
    hint: `Write \`{% end${name} %}\` where it ends${bodyless === null ? '' : `, or, without a body, \`${bodyless}\``}.`,
    change: { edits: [{ reach: 'file', match: '(\\s*)$', text: `{% end${name} %}$1` }], safe: false },
  }),
  {
    wrong: '{% if context.params.a %}yes',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
