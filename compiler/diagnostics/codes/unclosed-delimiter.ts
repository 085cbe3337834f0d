/** `unclosed-delimiter`: `{{` or `{%` without the delimiter that closes it. */
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const unclosedDelimiter = message(
  'unclosed-delimiter',
  'error',
  'LiquidHTMLSyntaxError',
  (open: string) => ({
    text: `This ${quoted(open)} is never closed.`,
    hint: `Close it with ${open.startsWith('{{') ? '`}}`' : '`%}`'}.`,
  }),
  {
    wrong: '<p>{{ context.params.a</p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
