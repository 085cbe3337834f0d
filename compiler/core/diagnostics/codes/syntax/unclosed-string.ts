/**
 * `unclosed-string`: a string without its closing quote. Reported by `noteDiagnostic` (phases/parse/notes.ts), `leftoverDiagnostic`
 * (phases/parse/notes.ts) and `explainError` (phases/parse/syntax-errors.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unclosedString = message(
  'unclosed-string',
  'error',
  'LiquidHTMLSyntaxError',
  (quoteMark: string) => ({
    text: `The string that begins with this ${quote(quoteMark)} is never closed.`,
    hint:
      quoteMark === "'"
        ? 'Close the string. If it contains an apostrophe, put it in double quotes.'
        : 'Close the string with the same quote.',
    change: {
      edits: [
        {
          target: 'rest of line',
          match: `^${quoteMark}([^|,\\n]*?)(\\s*-?[%}]\\}|$)`,
          text: `${quoteMark}$1${quoteMark}$2`,
        },
      ],
      safe: false,
    },
  }),
  {
    wrong: `{{ 'hello }}`,
    right: `{{ 'hello' }}`,
  },
)
