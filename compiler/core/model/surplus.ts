/** How far an address may go on behind the slug of a page. */
import type { PageSettings } from './settings.ts'

/** Pages that are shown in the place of others, by their slugs. */
const ERROR_PAGES: ReadonlySet<string> = new Set(['403', '404', '500', '503'])

/**
 * How many parts of a path may follow what the slug of a page matches; null for any number. The home page and error pages
 * answer their own addresses alone.
 * @param exact `slug_exact_match` of the site
 */
export function surplusOf(page: Pick<PageSettings, 'route' | 'maxDeepLevel'>, exact: boolean): number | null {
  const { slug } = page.route
  if (exact || slug === '/' || ERROR_PAGES.has(slug)) return 0
  return page.maxDeepLevel >= 3 ? null : Math.max(page.maxDeepLevel - 1, 0)
}
