/** `unknown-form-field`: a form with a field that its resource does not have. */
import { suggestName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithAnd, type NameList, quote, capitalize } from '../../words.ts'

/** Returns a hint with all fields, for a name that is not similar to any of them. */
function listFields(known: NameList): string {
  const names = joinWithAnd(known, 20)
  return names === ''
    ? 'None are declared. For a value that is not stored, set `property_options: { virtual: true }`.'
    : `The existing names are ${names}.`
}

export const unknownFormField = message(
  'unknown-form-field',
  'warning',
  'WS14',
  (
    sort: 'attribute' | 'property' | 'profile' | 'table' | 'field',
    name: string,
    owner: string,
    known: NameList,
    fix: string | null,
    declared: Span | null,
  ) => ({
    text: `${capitalize(owner)} has no ${sort} ${quote(name)}.`,
    ...(fix !== null ? { hint: fix } : (suggestName(name, known) ?? { hint: listFields(known) })),
    related: declared === null ? [] : [{ span: declared, message: 'it is declared here' }],
  }),
  {
    wrong: formSite({ fields: '  properties:\n    titel:' }),
    right: formSite({ fields: '  properties:\n    title:' }),
  },
)
