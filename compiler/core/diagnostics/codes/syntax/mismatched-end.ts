/** `mismatched-end`: the end of another block than the one that is open, or an end with nothing open. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const mismatchedEnd = message(
  'mismatched-end',
  'error',
  'LiquidHTMLSyntaxError',
  // `mend`: whether it was to close the open tag, which has no other end; whether that has to be closed first; or nothing needs it.
  (found: string, open: string | null, opened: Span | null, mend: 'instead' | 'first' | 'gone') => ({
    text:
      open === null
        ? `${quoted(found)} closes a tag that was never opened.`
        : `${quoted(found)} stands where the open tag \`${open}\` needs \`end${open}\`.`,
    hint: mend === 'gone' || open === null ? 'Take it away.' : `Write \`{% end${open} %}\` ${mend}.`,
    change: {
      edits: [
        mend === 'gone' || open === null
          ? { reach: 'markup', text: '' }
          : mend === 'instead'
            ? { reach: 'markup', match: `\\b${found}\\b(?:\\s+\\w+)?`, text: `end${open}` }
            : { reach: 'before markup', text: `{% end${open} %}` },
      ],
      // Where a block was to end is known to its author only.
      safe: mend === 'instead',
    },
    related: opened === null ? [] : [{ span: opened, message: `\`${open}\` is opened here` }],
  }),
  {
    wrong: '{% if context.params.a %}yes{% endfor %}{% endif %}',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
