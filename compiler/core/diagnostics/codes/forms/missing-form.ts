/** `missing-form`: a form that does not exist is to be shown. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { listed, type NameList, quoted } from '../../words.ts'

function all(known: NameList): string {
  const names = listed(known)
  return names === '' ? 'The site has no forms.' : `The forms are ${names}.`
}

export const missingForm = message(
  'missing-form',
  'error',
  'WS45',
  (name: string, known: NameList) => ({
    text: `There is no form named ${quoted(name)}.`,
    ...(meantName(name, known) ?? { hint: all(known) }),
  }),
  {
    wrong: formSite({ page: `{% include_form 'bok' %}` }),
    right: formSite({ page: `{% include_form 'book' %}` }),
  },
)
