/** The same site with other calls: names that only the request knows, partials that are included or taken as text, partials that wait. */
import { Random } from './random.ts'
import type { MadeSite, TemplateFile } from './site.ts'
import type { Call, Statement, Style } from './template.ts'

/** A query whose answer nobody reads. */
export const WAITING = 'query waiting { records(per_page: 1) { total_entries } }'

/** Some of the site's templates suspend, which nothing in the page can show. */
export function suspending(site: MadeSite): MadeSite {
  const random = new Random(site.seed + 1)
  const wait: Statement = { kind: 'verbatim', text: `{% graphql waited %}${WAITING}{% endgraphql %}` }
  const waits = (file: TemplateFile) =>
    file.name !== null && random.chance(0.4) ? { ...file, body: [wait, ...file.body] } : file
  return { ...site, templates: site.templates.map(waits) }
}

/** Other ways to call, chosen by the number of the call: it stays as it was when others are dropped. */
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
