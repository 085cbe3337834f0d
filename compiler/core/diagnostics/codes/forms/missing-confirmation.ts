/**
 * `missing-confirmation`: a field with a confirmation whose confirmation field is missing. Reported by `checkConfirmations`
 * (language/settings/form-fields.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message, relatedAt } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quote } from '../../words.ts'

export const missingConfirmation = message(
  'missing-confirmation',
  'error',
  'FormConfiguration',
  (field: string, similarName: string | null, place: Span | null) => ({
    text: `The field ${quote(`${field}_confirmation`)}, which confirms ${quote(field)}, does not exist.`,
    hint: `Add \`${field}_confirmation: { property_options: { virtual: true } }\` next to ${quote(field)}.`,
    related: similarName === null ? [] : relatedAt(place, `${quote(similarName)} has a similar name`),
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title: { validation: { confirmation: true } }' }),
    right: formSite({
      fields:
        '  properties:\n    title: { validation: { confirmation: true } }\n    title_confirmation: { property_options: { virtual: true } }',
    }),
  },
)
