/** `unclosed-attribute`: an attribute value without its closing quote, so that it includes the tags after it. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { HtmlScan } from '../../walk/html.ts'

export const unclosedAttribute = message(
  'unclosed-attribute',
  'warning',
  'UnclosedHTMLElement',
  /** `surplus`: the quote comes after a value that is already closed. */
  (surplus = false) =>
    surplus
      ? {
          text: 'This quote is unexpected: the attribute value before it is already closed.',
          hint: 'Remove the quote.',
          change: { edits: [{ text: '' }], safe: true },
        }
      : {
          text: 'This attribute value has no closing quote, so it includes the markup after it.',
          hint: 'Add the closing quote after the value.',
        },
  {
    wrong: '<p class="note>a</p><p class="note">b</p>',
    right: '<p class="note">a</p><p class="note">b</p>',
  },
)

/** Reports attribute values without a closing quote, and quotes after values that are already closed. */
export function checkAttributes({ unclosed, surplus }: HtmlScan): readonly Diagnostic[] {
  return [...unclosed.map((span) => unclosedAttribute(span)), ...surplus.map((span) => unclosedAttribute(span, true))]
}
