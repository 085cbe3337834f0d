/** `missing-validation-option`: a validation without the option that says what it asks for. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { choice, quoted } from '../../words.ts'

export const missingValidationOption = message(
  'missing-validation-option',
  'error',
  'FormConfiguration',
  (validation: string, needed: Iterable<string>) => ({
    text: `The validation ${quoted(validation)} does not say what it asks for.`,
    hint: `Give it ${choice(needed, 20)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title:\n      validation: { inclusion: true }' }),
    right: formSite({ fields: '  properties:\n    title:\n      validation: { inclusion: { in: [a, b] } }' }),
  },
)
