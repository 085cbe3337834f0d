/** `unknown-validation`: a validation that no field can have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { choice, type NameList, quoted } from '../../words.ts'

export const unknownValidation = message(
  'unknown-validation',
  'error',
  'FormConfiguration',
  (name: string, known: NameList) => ({
    text: `There is no validation ${quoted(name)}.`,
    ...(meantName(name, known) ?? {
      hint: `The validations are ${choice(known, 20).replace(/ or (?=[^ ]+$)/, ' and ')}.`,
    }),
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { presense: true }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { presence: true }' }),
  },
)
