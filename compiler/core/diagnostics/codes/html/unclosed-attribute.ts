/** `unclosed-attribute`: the value of an attribute whose second quote is missing, so that the tags behind it are part of it. */
import { message } from '../../diagnostic.ts'

export const unclosedAttribute = message(
  'unclosed-attribute',
  'warning',
  'UnclosedHTMLElement',
  /** `surplus`: the quote stands behind a value that has its second one. */
  (surplus = false) =>
    surplus
      ? {
          text: 'This quote closes nothing: the value before it has its own.',
          hint: 'Take it away.',
          change: { edits: [{ text: '' }], safe: true },
        }
      : {
          text: 'The value that begins with this quote is not closed where it ends: it goes on over what stands behind it.',
          hint: 'Close the quote behind the value.',
        },
  {
    wrong: '<p class="note>a</p><p class="note">b</p>',
    right: '<p class="note">a</p><p class="note">b</p>',
  },
)
