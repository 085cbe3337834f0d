/** `validation-type`: a validation that no value of the field's type can pass, or that asks nothing of it. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { choice, quoted } from '../../words.ts'

export const validationType = message(
  'validation-type',
  'warning',
  'WS15',
  (validation: string, field: string, type: string, fits: Iterable<string>) => ({
    text: `The validation ${quoted(validation)} does not fit ${quoted(field)}, which is of the type ${quoted(type)}.`,
    hint: `It is for fields of the type ${choice(fits)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    pages: { validation: { email: true } }' }),
    right: formSite({ fields: '  properties:\n    title: { validation: { email: true } }' }),
  },
)
