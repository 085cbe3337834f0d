/** `open-record-form`: a form of records that anyone may send for any record. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const openRecordForm = message(
  'open-record-form',
  'warning',
  'FormConfiguration',
  (form: string) => ({
    text: `Through the form ${quoted(form)} anyone may change and delete any record of its table, signed in or not.`,
    hint: 'Leave `resource_owner` out: everybody can create records all the same, and only who created one changes it. Or name a policy.',
  }),
  {
    wrong: formSite({ head: 'resource: book\nresource_owner: anyone' }),
    right: formSite({ head: 'resource: book' }),
  },
)
