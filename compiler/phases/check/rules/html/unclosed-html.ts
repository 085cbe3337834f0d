/** `unclosed-html`: an element that some path through the template opens without closing, or closes without opening. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const unclosedHtml = message(
  'unclosed-html',
  'warning',
  'UnclosedHTMLElement',
  /**
   * `opened`: the element that is open at a wrong end tag; for an element without an end tag, the end tag that was probably meant.
   * `isMisspelt`: whether the end tag is a misspelling of the open element.
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
            ? `To close the \`<${element}>\` before it, write \`</${element}>\`.`
            : isMisspelt
              ? `Did you mean \`</${opened.element}>\`?`
              : `Close the open element: \`</${opened.element}>\`.`,
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
                  ? `\`</${opened.element}>\` is here`
                  : `\`<${opened.element}>\` is opened here`,
            },
          ],
  }),
  {
    wrong: '{% if context.params.a %}<div>{% endif %}',
    right: '{% if context.params.a %}<div></div>{% endif %}',
  },
)
