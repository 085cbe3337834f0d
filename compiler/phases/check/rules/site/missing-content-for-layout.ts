/** `missing-content-for-layout`: a layout that never prints the content of the page. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import { findNearest } from '../../../../core/diagnostics/suggest.ts'

export const missingContentForLayout = message(
  'missing-content-for-layout',
  'error',
  'MissingContentForLayout',
  () => ({
    text: 'This layout never prints the content of the page.',
    hint: 'Write `{{ content_for_layout }}` where the content belongs.',
    change: { edits: [{ match: '(</body>|$)', text: '{{ content_for_layout }}$1' }] },
  }),
  {
    wrong: { 'app/views/layouts/application.liquid': '<body></body>' },
    right: { 'app/views/layouts/application.liquid': '<body>{{ content_for_layout }}</body>' },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)

/** Reports layouts that do not print the page. */
export function checkLayouts({ site, siteTemplates, factsOf, reach }: CheckedSite): readonly Diagnostic[] {
  const byFile = new Map(
    siteTemplates
      .filter((siteTemplate) => siteTemplate.inner === null)
      .map((siteTemplate) => [siteTemplate.key, siteTemplate]),
  )
  const printsPage = (file: string, seen: Set<string>): boolean => {
    const siteTemplate = byFile.get(file)
    if (siteTemplate === undefined || seen.has(file)) return false
    seen.add(file)
    if (siteTemplate.outline.reads.has('content_for_layout')) return true
    const facts = factsOf(siteTemplate.key)
    if (facts === undefined || facts.readsAll) return true
    // A partial that the layout calls may print the text.
    return facts.calls.some((call) => call.targets === null || call.targets.some((target) => printsPage(target, seen)))
  }
  const diagnostics: Diagnostic[] = []
  for (const unit of new Set(site.layouts.values())) {
    // The file may be a part of another layout, which prints the page.
    if (site.layoutParts.has(unit) && (reach.reached.has(unit.file.path) || isUnderscored(unit))) continue
    if (unit.template === null || unit.template.isBroken || printsPage(unit.file.path, new Set())) continue
    diagnostics.push(missingContentForLayout(contentSpan(unit.file, byFile.get(unit.file.path))))
  }
  return diagnostics
}

/**
 * Returns where a layout was meant to print the page: a variable with a similar name, or the name as plain text; otherwise the first line.
 */
function contentSpan({ path: file, text }: Unit['file'], siteTemplate: SiteTemplate | undefined): Span {
  for (const [name, span] of siteTemplate?.outline.reads ?? [])
    if (findNearest(name, CONTENT_NAMES) !== null) return span
  const [name = ''] = CONTENT_NAMES
  const start = text.indexOf(name)
  return start < 0 ? { file, start: 0, end: firstLineEnd(text) } : { file, start, end: start + name.length }
}

/** The variable with the content that a layout has to print. */
const CONTENT_NAMES: readonly string[] = ['content_for_layout']

function isUnderscored({ file: { name } }: Unit): boolean {
  return name[name.lastIndexOf('/') + 1] === '_'
}

/** Returns the end of the first line. */
function firstLineEnd(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}
