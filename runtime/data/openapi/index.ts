/** The public interface of the OpenAPI document. */
export { openApi } from './openapi.ts'
export type { DocumentFacts } from './model.ts'
