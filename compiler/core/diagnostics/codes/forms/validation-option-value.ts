/**
 * `validation-option-value`: an invalid value for a validation or for one of its options. Reported by `readRules`
 * (language/settings/form-rules.ts), `readCommonOption` (language/settings/form-rules.ts) and `readRule`
 * (language/settings/form-rules.ts).
 */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quote, capitalize } from '../../words.ts'

export const validationOptionValue = message(
  'validation-option-value',
  'error',
  'FormConfiguration',
  (name: string, takes: string) => ({
    text: `This is not a valid value for ${quote(name)}.`,
    hint: `${capitalize(`it takes ${takes}`)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimum: few } }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { length: { minimum: 3 } }' }),
  },
)
