/** `unknown-validation-option`: an option that a validation does not have. Reported by `readRule` (language/settings/form-rules.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithOr, type NameList, quote } from '../../words.ts'

export const unknownValidationOption = message(
  'unknown-validation-option',
  'error',
  'FormConfiguration',
  (validation: string, name: string, knownNames: NameList) => ({
    subject: { kind: 'option', name, of: validation },
    text: `The validation ${quote(validation)} has no option ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: `It takes ${joinWithOr(knownNames, 20)}.` }),
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimun: 3, maximum: 9 } }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimum: 3, maximum: 9 } }' }),
  },
)
