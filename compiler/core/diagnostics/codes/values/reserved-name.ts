/** `reserved-name`: a variable with the name of a literal, so it can never be read. */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const reservedName = message(
  'reserved-name',
  'warning',
  'ReservedVariableName',
  (name: string) => ({
    text: `${quote(name)} is a reserved word, so this variable can never be read.`,
    hint: 'Choose another name.',
  }),
  {
    wrong: '{% assign empty = 1 %}',
    right: '{% assign none = 1 %}{{ none }}',
  },
)
