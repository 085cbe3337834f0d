/** `unclosed-start-tag`: a tag of HTML without its `>`, before which another one begins. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unclosedStartTag = message(
  'unclosed-start-tag',
  'warning',
  'UnclosedHTMLElement',
  (begin: string) => ({
    text: `The tag that begins with ${quoted(begin)} has no \`>\`: another one begins in it.`,
    hint: 'Close it with `>`.',
  }),
  {
    wrong: '<div class="note" <p>a</p></div>',
    right: '<div class="note"><p>a</p></div>',
  },
)
