/** `reserved-route`: a slug that the server reserves for itself. */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const reservedRoute = message(
  'reserved-route',
  'warning',
  'ReservedRoute',
  (slug: string) => ({
    text: `The server handles ${quote(slug)} itself, so this page is never shown.`,
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
