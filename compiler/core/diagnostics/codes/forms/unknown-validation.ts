/** `unknown-validation`: a validation that does not exist. Reported by `readRule` (language/settings/form-rules.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithOr, type NameList, quote } from '../../words.ts'

export const unknownValidation = message(
  'unknown-validation',
  'error',
  'FormConfiguration',
  (name: string, knownNames: NameList) => ({
    text: `There is no validation named ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `The validations are ${joinWithOr(knownNames, 20).replace(/ or (?=[^ ]+$)/, ' and ')}.`,
    }),
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { presense: true }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { presence: true }' }),
  },
)
