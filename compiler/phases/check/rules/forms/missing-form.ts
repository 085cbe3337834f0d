/** `missing-form`: `include_form` with the name of a form that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { joinWithAnd, type NameList, quote } from '../../../../core/diagnostics/words.ts'

function listForms(knownNames: NameList): string {
  const names = joinWithAnd(knownNames)
  return names === '' ? 'The site has no forms.' : `The forms are ${names}.`
}

export const missingForm = message(
  'missing-form',
  'error',
  'WS45',
  (name: string, knownNames: NameList) => ({
    subject: { kind: 'form', name },
    text: `There is no form named ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: listForms(knownNames) }),
  }),
  {
    wrong: formSite({ page: `{% include_form 'bok' %}` }),
    right: formSite({ page: `{% include_form 'book' %}` }),
  },
)
