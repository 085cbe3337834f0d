/** `reserved-name`: a variable named like a literal, which hides it. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const reservedName = message(
  'reserved-name',
  'warning',
  'ReservedVariableName',
  (name: string) => ({
    text: `${quoted(name)} is a word of the language: reading it never gives the variable.`,
    hint: 'Choose another name.',
  }),
  {
    wrong: '{% assign empty = 1 %}',
    right: '{% assign none = 1 %}{{ none }}',
  },
)
