/** `trailing-comma`: a comma before the end of a hash or array literal. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const trailingComma = message(
  'trailing-comma',
  'error',
  'LiquidHTMLSyntaxError',
  (close: string) => ({
    text: `A comma stands before the closing ${quoted(close)}.`,
    hint: 'Take the last comma away.',
    change: { edits: [{ part: ',', text: '' }] },
  }),
  {
    wrong: '{% assign list = [1, 2,] %}{{ list }}',
    right: '{% assign list = [1, 2] %}{{ list }}',
  },
)
