/** `invalid-name`: a variable name with letters that names cannot have. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const invalidName = message(
  'invalid-name',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `${quoted(name)} cannot be a name: names have the letters a to z, digits, \`_\` and \`-\`.`,
  }),
  {
    wrong: '{% assign größe = 1 %}',
    right: '{% assign groesse = 1 %}{{ groesse }}',
  },
)
