/** Filters that the engine lacks on this platform. In Node there are none; a bundle for browsers uses `lacking.browser.ts` instead. */
export const MISSING_FILTERS: readonly string[] = []
