/** Text for HTML, as templates print it. */
export { escapeHtml } from '../../../runtime/page/values/text.ts'
