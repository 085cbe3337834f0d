/**
 * Filters that the engine lacks on this platform. In Node none are missing. A bundle for browsers uses `missing-filters.browser.ts`
 * instead.
 */
export const MISSING_FILTERS: readonly string[] = []
