/** `parser-blocking-script`: a script that blocks the loading of the page. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const parserBlockingScript = message(
  'parser-blocking-script',
  'warning',
  'ParserBlockingScript',
  () => ({
    text: 'This script blocks the loading of the page.',
    hint: 'Add `defer` or `async`.',
    change: { edits: [{ match: '(\\s*/?>)$', text: ' defer$1' }] },
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<script src="/assets/a.js"></script>', 'app/assets/a.js': '' },
    right: { 'app/views/pages/index.liquid': '<script src="/assets/a.js" defer></script>', 'app/assets/a.js': '' },
  },
)
