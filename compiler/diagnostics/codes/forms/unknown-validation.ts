/** `unknown-validation`: a validation that no field can have. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { didYouMean } from '../../suggest.ts'
import { choice, type NameList, quoted } from '../../words.ts'

export const unknownValidation = message(
  'unknown-validation',
  'error',
  'FormConfiguration',
  (name: string, known: NameList) => ({
    text: `There is no validation ${quoted(name)}.`,
    hint: didYouMean(name, known) ?? `The validations are ${choice(known, 20).replace(/ or (?=[^ ]+$)/, ' and ')}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { presense: true }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { presence: true }' }),
  },
)
