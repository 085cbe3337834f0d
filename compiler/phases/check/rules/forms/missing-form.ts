/** `missing-form`: `include_form` with the name of a form that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { type NameList, joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { Span } from '../../../../core/source/span.ts'
import { formNamed, formTags } from '../../site/forms.ts'
import { namesInQueries } from '../../site/query-names.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'

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

/** Reports `include_form` tags that name no form of the site. With open entries, the forms of a site without any may be elsewhere. */
export function checkIncludedForms(checked: CheckedSite): readonly Diagnostic[] {
  const { site } = checked
  if (site.openEntries && site.forms.size === 0) return []
  const { includes } = formTags(checked)
  return includes.flatMap(({ form, note, name }) =>
    form === undefined ? [missingFormIn(site, note.name.span, name)] : [],
  )
}

/** Reports names of forms in queries for which the site has no form. */
export function checkQueriedForms({ site, operations, memo }: CheckedSite): readonly Diagnostic[] {
  if (site.openEntries) return []
  return namesInQueries(operations, memo).flatMap(({ kind, name, span }) =>
    kind === 'form' && formNamed(site, name) === undefined ? [missingFormIn(site, span, name)] : [],
  )
}

function missingFormIn(site: Site, span: Span, name: string): Diagnostic {
  return withAbsentModule(site.modules, name, missingForm(span, name, [...site.forms.keys()]))
}
