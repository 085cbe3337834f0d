/** Variants of a site with other calls: names from the request, partials that are included or captured, partials that suspend. */
import { Random } from './random.ts'
import type { MadeSite, TemplateFile } from './site.ts'
import type { Call, Statement, Style } from './template.ts'

/** A query whose result is not used. */
export const WAITING = 'query waiting { records(per_page: 1) { total_entries } }'

/** Returns the site with some templates that suspend. The output must not change. */
export function withSuspensions(site: MadeSite): MadeSite {
  const random = new Random(site.seed + 1)
  const wait: Statement = { kind: 'verbatim', text: `{% graphql waited %}${WAITING}{% endgraphql %}` }
  const waits = (file: TemplateFile) =>
    file.name !== null && random.chance(0.4) ? { ...file, body: [wait, ...file.body] } : file
  return { ...site, templates: site.templates.map(waits) }
}

/** Returns a style with other ways to call. The number of a call selects the way, so that removing another call does not change it. */
export function otherStyle(site: MadeSite): Style {
  const apart = new Set(site.templates.flatMap(({ name, apart }) => (apart && name !== null ? [name] : [])))
  const choice = (call: Call, of: number) => new Random(site.seed * 1_000 + call.id * 2 + of)
  return {
    lines: new Random(site.seed + 2).chance(0.5),
    naming: (call) => choice(call, 0).pick(['literal', 'constant', 'pattern', 'open']),
    by: (call) =>
      apart.has(call.partial) && (call.by === 'render' || call.by === 'include') && !/^ (?:with|for)/.test(call.more)
        ? choice(call, 1).pick(['render', 'include', 'captured'])
        : call.by,
  }
}
