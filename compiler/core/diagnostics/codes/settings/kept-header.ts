/**
 * `kept-header`: a response header of a page or form that the server sets itself. Reported by `checkHeaders`
 * (language/settings/headers.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const keptHeader = message(
  'kept-header',
  'warning',
  'ValidFrontmatter',
  (name: string) => ({
    text: `The header ${quote(name)} is not sent from here, because the server sets it itself.`,
    hint: 'Remove this header. The other headers are sent.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `---\nresponse_headers: '{ "Cache-Control": "no-store" }'\n---\nx` },
    right: { 'app/views/pages/index.liquid': `---\nresponse_headers: '{ "X-Version": "1" }'\n---\nx` },
  },
)
