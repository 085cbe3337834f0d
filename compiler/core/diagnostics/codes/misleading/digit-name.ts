/** `digit-name`: a variable name that begins with a digit. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const digitName = message(
  'digit-name',
  'warning',
  'VariableName',
  (name: string) => ({
    text: `The name ${quote(name)} begins with a digit, which some tools cannot parse.`,
    hint: `Begin the name with a letter or \`_\`: \`_${name}\`.`,
    change: { edits: [{ target: 'file', part: name, every: true, text: `_${name}` }], safe: true },
  }),
  {
    wrong: `{% assign 2nd = 'x' %}{{ 2nd }}`,
    right: `{% assign second = 'x' %}{{ second }}`,
  },
)
