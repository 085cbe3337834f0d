/** `form-outside`: the tag `form` outside of the template of a form. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { formTags } from '../../site/forms.ts'

export const formOutside = message(
  'form-outside',
  'error',
  'FormConfiguration',
  () => ({
    text: 'The tag `form` is only allowed in the template of a form.',
    hint: 'Move it into a file in `app/forms` and show that form with `include_form`, or write a plain `<form>` element.',
  }),
  {
    wrong: formSite({ page: `{% include_form 'book' %}{% form %}{% endform %}` }),
    right: formSite({}),
  },
)

/**
 * Reports `form` tags outside of a form's template and of the partials and layouts that a form renders. With open entries a site is
 * incomplete, so a form that is not part of it may render the partial.
 */
export function checkFormElements(checked: CheckedSite): readonly Diagnostic[] {
  const { site } = checked
  const { elements } = formTags(checked)
  const outer = elements.filter(({ siteTemplate }) => siteTemplate.unit.file.kind !== 'form')
  if (outer.length === 0) return []
  const shownFiles = site.openEntries ? null : collectShownFiles(checked)
  return outer.flatMap(({ siteTemplate, span }) => {
    const { kind, path } = siteTemplate.unit.file
    const mayBeShown = site.openEntries ? kind !== 'page' : kind === 'partial' || kind === 'layout'
    return mayBeShown && (shownFiles === null || shownFiles.has(path)) ? [] : [formOutside(span)]
  })
}

/** Returns the files that forms render, directly or through other files; null if a computed name may refer to any file. */
function collectShownFiles({ siteTemplates, callsOf }: CheckedSite): ReadonlySet<string> | null {
  const seen = new Set<string>()
  for (const { unit } of siteTemplates) if (unit.file.kind === 'form') seen.add(unit.file.path)
  for (const file of seen) {
    for (const { targets } of callsOf(file)) {
      if (targets === null) return null
      for (const target of targets) seen.add(target)
    }
  }
  return seen
}
