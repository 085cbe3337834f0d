/** `unclosed-html`: an element that a path through the template leaves open, or closes without opening it. */
import { message } from '../../diagnostic.ts'

export const unclosedHtml = message(
  'unclosed-html',
  'warning',
  'UnclosedHTMLElement',
  (element: string, missing: 'end' | 'start') => ({
    text:
      missing === 'end'
        ? `The element \`<${element}>\` is not closed on every path.`
        : `\`</${element}>\` closes an element that is not open on every path.`,
  }),
  {
    wrong: '{% if context.params.a %}<div>{% endif %}',
    right: '{% if context.params.a %}<div></div>{% endif %}',
  },
)
