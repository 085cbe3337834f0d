/** Filters that the engine lacks in a browser. */
export { SERVER_FILTERS as LACKING } from '../../../runtime/page/browser/server-filters.ts'
