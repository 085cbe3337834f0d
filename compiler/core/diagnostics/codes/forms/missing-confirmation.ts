/** `missing-confirmation`: a value is to be confirmed, and the form has no field for that. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const missingConfirmation = message(
  'missing-confirmation',
  'error',
  'FormConfiguration',
  (field: string, near: string | null, place: Span | null) => ({
    text: `There is no field ${quoted(`${field}_confirmation`)} that would confirm ${quoted(field)}.`,
    hint: `Add \`${field}_confirmation: { property_options: { virtual: true } }\` beside it.`,
    related: near === null || place === null ? [] : [{ span: place, message: `${quoted(near)} is near` }],
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title: { validation: { confirmation: true } }' }),
    right: formSite({
      fields:
        '  properties:\n    title: { validation: { confirmation: true } }\n    title_confirmation: { property_options: { virtual: true } }',
    }),
  },
)
