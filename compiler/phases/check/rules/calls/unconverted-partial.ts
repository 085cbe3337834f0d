/** `unconverted-partial`: a Markdown partial that is printed by a page that is not Markdown. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { OutgoingCall } from '../../walk/facts.ts'
import { reachOf } from '../../site/reach.ts'
import { testsOf } from '../../../analyze/roots.ts'

const TEXT = `---
converter: markdown
---
# Terms`

export const unconvertedPartial = message(
  'unconverted-partial',
  'info',
  'ValidFrontmatter',
  () => ({
    text: 'This Markdown is not converted to HTML, because a page that prints it is not a Markdown page.',
    hint: 'Set `converter: markdown` in that page, or remove the setting here and use the filter `markdown`.',
  }),
  {
    wrong: `{% render 'terms' %}`,
    right: `---
converter: markdown
---
{% render 'terms' %}`,
    both: { 'app/views/partials/terms.liquid': TEXT },
  },
)

/** Calls whose output is dropped. */
const VALUE_CALLS: ReadonlySet<OutgoingCall['kind']> = new Set(['function', 'background'])

/** Reports Markdown partials that are printed without being converted. */
export function checkUnconverted({ site, roots, callsOf }: CheckedSite): readonly Diagnostic[] {
  const markdownPartials = site.units.flatMap(({ file, settings }) => {
    const span = settings.kind === 'partial' ? settings.converterAt : null
    return span === null ? [] : [{ file, at: span }]
  })
  if (markdownPartials.length === 0 || site.openEntries) return []
  const tests = testsOf(site)
  const convertingPages = new Set(
    site.pages.filter((page) => page.settings.converter === 'markdown').map((page) => page.file.path),
  )
  // The output of a test is not shown.
  const entries = [...roots].filter((root) => !convertingPages.has(root) && !tests.has(root))
  // Calls with computed names may never run some of their targets.
  const printingCalls = (file: string) =>
    callsOf(file).filter(({ kind, open, targets }) => !VALUE_CALLS.has(kind) && !open && targets !== null)
  const { reached } = reachOf(site, new Set(entries), printingCalls)
  return markdownPartials.flatMap(({ file, at }) => (reached.has(file.path) ? [unconvertedPartial(at)] : []))
}
