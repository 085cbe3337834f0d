/** The interface of this room. */
export { openApi } from './openapi.ts'
export type { DocumentFacts } from './model.ts'
