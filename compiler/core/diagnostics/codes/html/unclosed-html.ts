/** `unclosed-html`: an element that a path through the template leaves open, or closes without opening it. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const unclosedHtml = message(
  'unclosed-html',
  'warning',
  'UnclosedHTMLElement',
  /**
   * `opened`: what is open where another element is closed; where an element has no end, the end tag that was likely to be its own.
   * `isMisspelt`: the end tag is that of what is open, in other letters.
   */
  (
    element: string,
    missing: 'end' | 'start',
    opened: { readonly element: string; readonly span: Span } | null = null,
    isMisspelt: boolean = false,
  ) => ({
    text:
      missing === 'end'
        ? `The element \`<${element}>\` is not closed on every path.`
        : `\`</${element}>\` closes an element that is not open on every path.`,
    hint:
      opened === null || (opened.element === element && missing === 'start')
        ? undefined
        : missing === 'end' && opened.element !== element
          ? `Did you mean \`<${opened.element}>\`?`
          : opened.element === element
            ? `Where the end of the one before it is meant, write \`</${element}>\`.`
            : isMisspelt
              ? `Did you mean \`</${opened.element}>\`?`
              : `Close what is open: \`</${opened.element}>\`.`,
    change:
      opened !== null && opened.element !== element && (missing === 'end' || isMisspelt)
        ? { edits: [{ part: element, text: opened.element }], safe: isMisspelt }
        : undefined,
    related:
      opened === null
        ? []
        : [
            {
              span: opened.span,
              message:
                missing === 'end' && opened.element !== element
                  ? `\`</${opened.element}>\` stands here`
                  : `\`<${opened.element}>\` is opened here`,
            },
          ],
  }),
  {
    wrong: '{% if context.params.a %}<div>{% endif %}',
    right: '{% if context.params.a %}<div></div>{% endif %}',
  },
)
