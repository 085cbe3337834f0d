/** `unclosed-attribute`: the value of an attribute whose second quote is missing, so that the tags behind it are part of it. */
import { message } from '../../diagnostic.ts'

export const unclosedAttribute = message(
  'unclosed-attribute',
  'warning',
  'UnclosedHTMLElement',
  () => ({
    text: 'The value that begins with this quote goes on over the end of its tag.',
    hint: 'Close the quote before the `>`.',
  }),
  {
    wrong: '<p class="note>a</p><p class="note">b</p>',
    right: '<p class="note">a</p><p class="note">b</p>',
  },
)
