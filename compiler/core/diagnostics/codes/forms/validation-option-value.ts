/** `validation-option-value`: a value that a validation or an option of one does not take. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted, upper } from '../../words.ts'

export const validationOptionValue = message(
  'validation-option-value',
  'error',
  'FormConfiguration',
  (name: string, takes: string) => ({
    text: `${quoted(name)} does not take this value.`,
    hint: `${upper(`it takes ${takes}`)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimum: few } }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimum: 3 } }' }),
  },
)
