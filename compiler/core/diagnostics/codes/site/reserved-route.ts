/** `reserved-route`: a slug that the server keeps for itself. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const reservedRoute = message(
  'reserved-route',
  'warning',
  'ReservedRoute',
  (slug: string) => ({
    text: `The server answers ${quoted(slug)} itself, so this page is never asked.`,
    hint: 'Choose another slug.',
  }),
  {
    wrong: `---
slug: assets/list
---
x`,
    right: `---
slug: files/list
---
x`,
  },
)
