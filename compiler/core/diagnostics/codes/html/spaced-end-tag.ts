/** `spaced-end-tag`: an end tag with a space before its slash or its name, which a browser shows as text. */
import { instead } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const spacedEndTag = message(
  'spaced-end-tag',
  'warning',
  'UnclosedHTMLElement',
  (written: string) => ({
    text: `${quoted(written)} is text, and closes nothing.`,
    ...instead(written.replace(/\s/g, '')),
  }),
  {
    wrong: '<div>a< /div>',
    right: '<div>a</div>',
  },
)
