/** `unknown-form-field`: a form takes a field that its resource does not have. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { listed, type NameList, quoted, upper } from '../../words.ts'

/** Where no name is near, the field was renamed or never made: the reader wants to see those there are. */
function all(known: NameList): string {
  const names = listed(known, 20)
  return names === ''
    ? 'It has none. A value that is never stored has `property_options: { virtual: true }`.'
    : `There are ${names}.`
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
    mend: string | null,
    declared: Span | null,
  ) => ({
    text: `${upper(owner)} has no ${sort} ${quoted(name)}.`,
    ...(mend !== null ? { hint: mend } : (meantName(name, known) ?? { hint: all(known) })),
    related: declared === null ? [] : [{ span: declared, message: 'it is declared here' }],
  }),
  {
    wrong: formSite({ fields: '  properties:\n    titel:' }),
    right: formSite({ fields: '  properties:\n    title:' }),
  },
)
