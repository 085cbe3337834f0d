/** `absent-in-jobs`: a value of the request that is read without a request: in a job, a notification or a migration. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { isCallback, nodeOf, nodesByEntryPoint } from '../../site/entry-points.ts'
import { absentKinds } from '../../../../language/types/context.ts'

/** `callback`: an action that a form runs later. */
type Where = 'job' | 'callback' | 'notification' | 'migration'

export const absentInJobs = message(
  'absent-in-jobs',
  'warning',
  'WS30',
  (part: string | null, where: Where) => ({
    text: formatMessage(part, `a ${where === 'job' || where === 'callback' ? 'background job' : where}`),
    hint:
      where === 'job'
        ? 'Pass the value to `background` as an argument.'
        : where === 'callback'
          ? 'Start the job with `background` in `callback_actions`, and pass the value as an argument.'
          : undefined,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% background job = 'work' %}{{ job }}`,
      'app/views/partials/work.liquid': '{% log context.page.slug %}',
    },
    right: {
      'app/views/pages/index.liquid': `{% background job = 'work', slug: context.page.slug %}{{ job }}`,
      'app/views/partials/work.liquid': '{% log slug %}',
    },
  },
)

/** Returns the message. `part`: the field of `context`; null for a tag that writes to the session. */
function formatMessage(part: string | null, place: string): string {
  if (part === null) return `This needs the session of a visitor, which ${place} does not have.`
  if (part === 'constants') return `${place[0]?.toUpperCase()}${place.slice(1)} does not have \`context.constants\`.`
  return `\`context.${part}\` belongs to the request of a visitor, which ${place} does not have.`
}

const OUTSIDE_REQUEST = ['job', 'notification', 'migration'] as const

/** Reports reads of request values in templates that never run in a request, where the values do not exist. */
export function checkRequestReads(checked: CheckedSite): readonly Diagnostic[] {
  const { site, siteTemplates, reach, factsOf } = checked
  if (site.dialect !== 'platform' || site.openEntries) return []
  const nodes = nodesByEntryPoint(checked)
  const diagnostics: Diagnostic[] = []
  for (const siteTemplate of siteTemplates) {
    const facts = factsOf(siteTemplate.key)
    const node = nodeOf(siteTemplate)
    if (facts === undefined || !reach.reached.has(siteTemplate.unit.file.path) || nodes.request.has(node)) continue
    const entryPoints = OUTSIDE_REQUEST.filter((entryPoint) => nodes[entryPoint].has(node))
    const [first] = entryPoints
    if (first === undefined) continue
    const reportedEntryPoint = isCallback(siteTemplate) ? 'callback' : first
    for (const [part, span] of facts.requestReads) {
      const absent = absentKinds(part)
      // The read is in an included file, which may also run in a request.
      const isShared = span.file !== siteTemplate.unit.file.path && nodes.request.has(span.file)
      if (entryPoints.every((entryPoint) => absent.includes(entryPoint)) && !isShared)
        diagnostics.push(absentInJobs(span, part, reportedEntryPoint))
    }
    const session = facts.ports.get('sessions')
    if (session !== undefined) diagnostics.push(absentInJobs(session, null, reportedEntryPoint))
  }
  return diagnostics
}
