/** The public interface of the OpenAPI document. */
export { openApi } from './openapi.ts'
