/** `missing-validation-option`: a validation without a required option. Reported by `readRule` (language/settings/form-rules.ts). */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithOr, quote } from '../../words.ts'

export const missingValidationOption = message(
  'missing-validation-option',
  'error',
  'FormConfiguration',
  (validation: string, needed: Iterable<string>) => ({
    subject: { kind: 'validation', name: validation },
    text: `The validation ${quote(validation)} needs an option.`,
    hint: `Add ${joinWithOr(needed, 20)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { inclusion: true }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { inclusion: { in: [a, b] } }' }),
  },
)
