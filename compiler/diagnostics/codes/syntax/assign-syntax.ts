/** `assign-syntax`: an `assign` without its `=` or its value. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const assignSyntax = message(
  'assign-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `This \`assign\` cannot be read${found === '' ? '' : ` at ${quoted(found)}`}.`,
    hint: 'It is written `{% assign name = value %}`.',
  }),
  {
    wrong: `{% assign x 'a' %}{{ x }}`,
    right: `{% assign x = 'a' %}{{ x }}`,
  },
)
