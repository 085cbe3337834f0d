/** `unclosed-delimiter`: `{{` or `{%` without the delimiter that closes it. */
import { literalPattern } from '../../change.ts'
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
      change: {
        edits: [
          written === null
            ? { reach: 'rest of line', match: '^(\\{[{%][^<\\n]*?)\\s*(?=<|$)', text: `$1 ${close.slice(1, -1)}` }
            : { match: `${literalPattern(written)}$`, text: close.slice(1, -1) },
        ],
        safe: written !== null,
      },
    }
  },
  {
    wrong: '<p>{{ context.params.a</p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
