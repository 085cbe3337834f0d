/** Filters that the engine lacks in a browser. */
export { SERVER_FILTERS as MISSING_FILTERS } from '../../../runtime/page/browser/server-filters.ts'
