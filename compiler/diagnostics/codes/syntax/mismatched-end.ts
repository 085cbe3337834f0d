/** `mismatched-end`: the end of another block than the one that is open, or an end with nothing open. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const mismatchedEnd = message(
  'mismatched-end',
  'error',
  'LiquidHTMLSyntaxError',
  // `instead`: nothing else in the file is closed by what was found.
  (found: string, open: string | null, opened: Span | null, instead: boolean) => ({
    text:
      open === null
        ? `${quoted(found)} closes a tag that was never opened.`
        : `${quoted(found)} stands where the open tag \`${open}\` needs \`end${open}\`.`,
    hint: open === null ? undefined : `Write \`{% end${open} %}\` ${instead ? 'instead' : 'first'}.`,
    related: opened === null ? [] : [{ span: opened, message: `\`${open}\` is opened here` }],
  }),
  {
    wrong: '{% if context.params.a %}yes{% endfor %}{% endif %}',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
