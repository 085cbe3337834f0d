/** Computes how far a URL may go beyond the slug of a page. */
import type { PageSettings } from './settings.ts'

/** The slugs of pages that are shown instead of others in case of an error. */
const ERROR_PAGES: ReadonlySet<string> = new Set(['403', '404', '500', '503'])

/**
 * Returns how many path segments may follow the slug of a page; null for any number. The home page and error pages only handle their
 * own routes.
 * @param exact `slug_exact_match` of the site
 */
export function maxSurplus(page: Pick<PageSettings, 'route' | 'maxDeepLevel'>, exact: boolean): number | null {
  const { slug } = page.route
  if (exact || slug === '/' || ERROR_PAGES.has(slug)) return 0
  return page.maxDeepLevel >= 3 ? null : Math.max(page.maxDeepLevel - 1, 0)
}
