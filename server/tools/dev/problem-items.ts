/** What the check of a site in development reports, as items of the GraphQL type `Problem`. */
import type { SiteFacts, SiteItem } from '../../../runtime/data/query/site-facts.ts'
import type { CheckedSite } from '../../operate/cluster/messages.ts'

export type Found = ReturnType<NonNullable<SiteFacts['problems']>>

/**
 * Returns the items, the most severe first.
 * @param site null before the first check
 * @param report the reason why the last build failed; null if it succeeded
 */
export function problemItems(site: CheckedSite | null, report: string | null): Found {
  const { problems, total } = site ?? { problems: [], total: 0 }
  const failed = report === null ? [] : [sentence('error', 'build', report)]
  const left = total - problems.length
  const more =
    left === 0
      ? []
      : [
          sentence(
            'info',
            'more',
            `The list is cut: there are ${left} more findings. \`ingot check\` prints all of them.`,
          ),
        ]
  const found = problems.map(({ fix, ...problem }) => ({
    ...problem,
    fix_id: fix?.id ?? null,
    fix_title: fix?.title ?? null,
  }))
  const items = [...failed, ...found, ...more].map((problem, at) => ({ ...problem, id: String(at + 1), place: at }))
  return { items, checked: site !== null || report !== null }
}

/** Returns a problem that belongs to no file. */
function sentence(severity: string, code: string, message: string): SiteItem {
  return { severity, code, file: null, line: null, column: null, message, hint: null, fix_id: null, fix_title: null }
}
