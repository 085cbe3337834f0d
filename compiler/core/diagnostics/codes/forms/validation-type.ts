/** `validation-type`: a validation that does not apply to the type of its field. Reported by `FormLinker` (phases/link/forms.ts). */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithOr, quote } from '../../words.ts'

export const validationType = message(
  'validation-type',
  'warning',
  'WS15',
  (validation: string, field: string, type: string, fits: Iterable<string>) => ({
    text: `The validation ${quote(validation)} does not apply to ${quote(field)}, which has the type ${quote(type)}.`,
    hint: `Use the validation for fields of type ${joinWithOr(fits)}.`,
  }),
  {
    wrong: formSite({ fields: '  properties:\n    pages: { validation: { email: true } }' }),
    right: formSite({ fields: '  properties:\n    title: { validation: { email: true } }' }),
  },
)
