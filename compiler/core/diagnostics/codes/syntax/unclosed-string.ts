/** `unclosed-string`: a quote without its partner. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unclosedString = message(
  'unclosed-string',
  'error',
  'LiquidHTMLSyntaxError',
  (quote: string) => ({
    text: `The text that begins with this ${quoted(quote)} never ends.`,
    hint:
      quote === "'"
        ? 'Close it, or write the text in double quotes when it holds an apostrophe.'
        : 'Close it with the same quote.',
    change: {
      edits: [{ reach: 'rest of line', match: `^${quote}([^|,\\n]*?)(\\s*-?[%}]\\}|$)`, text: `${quote}$1${quote}$2` }],
      safe: false,
    },
  }),
  {
    wrong: `{{ 'hello }}`,
    right: `{{ 'hello' }}`,
  },
)
