/** The field that lists what the check of a site in development reports. */
import { type ItemFilters, type ItemPage, itemPage } from '../memory-collection.ts'
import type { SiteFacts } from '../site-facts.ts'

const FILTERS: ItemFilters = { code: 'text', file: 'text', message: 'text', severity: 'text' }

/** Returns the page of findings that the arguments select; null where no compiler runs. */
export async function problemPage(
  args: Readonly<Record<string, unknown>>,
  site: SiteFacts,
): Promise<(ItemPage & { readonly checked: boolean }) | null> {
  if (site.problems === undefined) return null
  const { items, checked } = site.problems()
  return { ...(await itemPage(items, args, FILTERS, 'place')), checked }
}
