/** `assign-syntax`: an `assign` without its `=` or its value. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const assignSyntax = message(
  'assign-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  /** `open`: a bracket that is still open at the end. */
  (found: string, open: string | null = null) => ({
    text:
      open === null
        ? `This \`assign\` cannot be read${found === '' ? '' : ` at ${quoted(found)}`}.`
        : `The \`${open}\` in this \`assign\` is never closed.`,
    hint: 'It is written `{% assign name = value %}`.',
  }),
  {
    wrong: `{% assign x 'a' %}{{ x }}`,
    right: `{% assign x = 'a' %}{{ x }}`,
  },
)
