/** `dynamic-render-name`: a computed name in `render`, which needs a fixed name. Reported by `partialTag` (language/tags/render.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const dynamicRenderName = message(
  'dynamic-render-name',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    subject: { kind: 'variable', name },
    text: `\`render\` needs a name in quotes, but ${quote(name)} is computed.`,
    ...(/^[a-z_][\w-]*$/i.test(name)
      ? {
          hint: `Write \`'${name}'\`, in quotes. For a computed name, use \`include\` or \`function\`.`,
          change: { edits: [{ part: name, text: `'${name}'` }], safe: false },
        }
      : {
          hint: 'Use `include` or `function`, or choose between several `render` tags with `case`.',
          change: { edits: [{ target: 'markup', part: 'render', text: 'include' }], safe: false },
        }),
  }),
  {
    wrong: `{% render context.params.a %}{% render 'card' %}`,
    right: `{% render 'card' %}`,
    both: { 'app/views/partials/card.liquid': 'x' },
  },
)
