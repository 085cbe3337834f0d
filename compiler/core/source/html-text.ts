/** Escapes text for HTML in the same way as templates. */
export { escapeHtml } from '../../../runtime/page/values/text.ts'
