/** `unclosed-tag`: a block without its end tag. Reported by `TreeBuilder` (phases/parse/build-tree.ts). */
import { message } from '../../diagnostic.ts'

export const unclosedTag = message(
  'unclosed-tag',
  'error',
  'LiquidHTMLSyntaxError',
  // `bodyless`: how to write the tag without a body, if it has such a form.
  (name: string, bodyless: string | null = null) => ({
    subject: { kind: 'tag', name },
    text: `The tag \`${name}\` is never closed.`,
    hint: `Write \`{% end${name} %}\` where the block ends${bodyless === null ? '' : `, or write \`${bodyless}\` without a body`}.`,
    change: { edits: [{ target: 'file', match: '(\\s*)$', text: `{% end${name} %}$1` }], safe: false },
  }),
  {
    wrong: '{% if context.params.a %}yes',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
