/** `read-after-include`: a variable that only an included partial sets, and that the page cannot see. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const readAfterInclude = message(
  'read-after-include',
  'warning',
  'WS40',
  (name: string, partial: string, included: Span) => ({
    text: `Only the included partial ${quoted(partial)} sets ${quoted(name)}, and it stays in the partial.`,
    hint: `Assign \`${name}\` before the include, or use \`function\` and \`return\`.`,
    related: [{ span: included, message: 'it is included here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% include 'setup' %}{{ theme }}`,
      'app/views/partials/setup.liquid': `{% assign theme = 'dark' %}{{ theme }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% assign theme = '' %}{% include 'setup' %}{{ theme }}`,
      'app/views/partials/setup.liquid': `{% assign theme = 'dark' %}{{ theme }}`,
    },
  },
)
