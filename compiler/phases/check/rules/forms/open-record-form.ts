/** `open-record-form`: a record form that anyone may submit for any record. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { ofFrame } from '../../site/site-rule.ts'
import { openForms } from '../../site/forms.ts'

export const openRecordForm = message(
  'open-record-form',
  'warning',
  'FormConfiguration',
  (form: string) => ({
    subject: { kind: 'form', name: form },
    text: `With the form ${quote(form)} anyone can change and delete any record of its table, even without signing in.`,
    hint: 'Remove `resource_owner`: then everyone can still create records, but only the creator of a record can change it. Or add an authorization policy.',
  }),
  {
    wrong: formSite({ head: 'resource: book\nresource_owner: anyone' }),
    right: formSite({ head: 'resource: book' }),
  },
)

/** Reports record forms that anyone may submit. */
export const checkOpenRecordForms = ofFrame((site) =>
  openForms(site, 'record').map(({ name, span }) => openRecordForm(span, name)),
)
