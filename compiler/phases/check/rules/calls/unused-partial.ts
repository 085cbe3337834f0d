/** `unused-partial`: a partial that is never called. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { hasUnreadableTemplate } from '../../site/reach.ts'
import { likelyFiles } from '../../site/likely-files.ts'

export const unusedPartial = message(
  'unused-partial',
  'info',
  'WS09',
  (name: string) => ({
    subject: { kind: 'partial', name },
    text: `The partial ${quote(name)} is never called.`,
    hint: 'Remove the file, unless a module or a computed name uses it.',
  }),
  { wrong: 'x', right: `{% render 'old' %}`, both: { 'app/views/partials/old.liquid': 'y' } },
)

/** Reports partials of the site itself that nothing calls. Other sites may use the partials of a module. */
export function checkUnusedPartials(checked: CheckedSite): readonly Diagnostic[] {
  const { site } = checked
  // A template that could not be parsed may contain the call.
  if (hasUnreadableTemplate(site)) return []
  const files = likelyFiles(checked)
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const [name, unit] of site.partials) {
    const { kind, path, module, override } = unit.file
    if (kind !== 'partial' || files.has(path) || module !== null || override || seen.has(path)) continue
    seen.add(path)
    diagnostics.push(unusedPartial({ file: path, start: 0, end: 0 }, name))
  }
  return diagnostics
}
