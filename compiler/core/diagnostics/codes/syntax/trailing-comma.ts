/** `trailing-comma`: a comma before the end of a hash or array literal. Reported by `explainError` (phases/parse/syntax-errors.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const trailingComma = message(
  'trailing-comma',
  'error',
  'LiquidHTMLSyntaxError',
  (close: string) => ({
    text: `There is a comma before the closing ${quote(close)}.`,
    hint: 'Remove the last comma.',
    change: { edits: [{ part: ',', text: '' }] },
  }),
  {
    wrong: '{% assign list = [1, 2,] %}{{ list }}',
    right: '{% assign list = [1, 2] %}{{ list }}',
  },
)
