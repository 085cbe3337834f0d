/** `unclosed-delimiter`: `{{` or `{%` without the delimiter that closes it. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unclosedDelimiter = message(
  'unclosed-delimiter',
  'error',
  'LiquidHTMLSyntaxError',
  // `written` stands where the delimiter should.
  (open: string, written: string | null = null) => {
    const close = open.startsWith('{{') ? '`}}`' : '`%}`'
    return {
      text: `This ${quoted(open)} is never closed.`,
      hint: written === null ? `Close it with ${close}.` : `Write ${close} where ${quoted(written)} stands.`,
    }
  },
  {
    wrong: '<p>{{ context.params.a</p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
