/** `assign-syntax`: an `assign` without its `=` or its value. Reported by `explainError` (phases/parse/syntax-errors.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const assignSyntax = message(
  'assign-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  /** `open`: a bracket that is never closed. */
  (found: string, open: string | null = null) => ({
    text:
      open === null
        ? `This \`assign\` is not valid${found === '' ? '' : ` at ${quote(found)}`}.`
        : `The \`${open}\` in this \`assign\` is never closed.`,
    hint: 'Write the tag as `{% assign name = value %}`.',
  }),
  {
    wrong: `{% assign x 'a' %}{{ x }}`,
    right: `{% assign x = 'a' %}{{ x }}`,
  },
)
