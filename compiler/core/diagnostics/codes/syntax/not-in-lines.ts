/**
 * `not-in-lines`: markup that is not allowed in the lines of a `liquid` tag. Reported by `TemplateParse` (phases/parse/parse-template.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const notInLines = message(
  'not-in-lines',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string, instead: string) => ({
    text: `${quote(found)} is not allowed in the lines of a \`liquid\` tag.`,
    hint: found.startsWith('{%')
      ? 'Write the tag without its `{%` and `%}`.'
      : instead === ''
        ? undefined
        : `Use \`${instead}\`.`,
    change: {
      edits: [
        {
          target: 'rest of line',
          match: found.startsWith('{%') ? '^\\{%-?\\s*([^\\n]*?)\\s*-?%\\}' : '^\\{\\{-?\\s*([^\\n]*?)\\s*-?\\}\\}',
          text: found.startsWith('{%') ? '$1' : 'echo $1',
        },
      ],
    },
  }),
  {
    wrong: `{% liquid
  {{ context.params.a }}
%}`,
    right: `{% liquid
  echo context.params.a
%}`,
  },
)
