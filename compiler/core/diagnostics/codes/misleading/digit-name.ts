/** `digit-name`: a variable name that begins with a digit. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const digitName = message(
  'digit-name',
  'warning',
  'VariableName',
  (name: string) => ({
    text: `The name ${quoted(name)} begins with a digit, which not every tool can read.`,
    hint: `Begin it with a letter or \`_\`: \`_${name}\`.`,
    change: { edits: [{ reach: 'file', part: name, every: true, text: `_${name}` }], safe: true },
  }),
  {
    wrong: `{% assign 2nd = 'x' %}{{ 2nd }}`,
    right: `{% assign second = 'x' %}{{ second }}`,
  },
)
