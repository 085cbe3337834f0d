/** `kept-header`: a header among those of a page or form that the server sets itself. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const keptHeader = message(
  'kept-header',
  'warning',
  'ValidFrontmatter',
  (name: string) => ({
    text: `The header ${quoted(name)} is left out: the server sets it itself.`,
    hint: 'Take it away. The other headers are sent.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `---\nresponse_headers: '{ "Cache-Control": "no-store" }'\n---\nx` },
    right: { 'app/views/pages/index.liquid': `---\nresponse_headers: '{ "X-Version": "1" }'\n---\nx` },
  },
)
