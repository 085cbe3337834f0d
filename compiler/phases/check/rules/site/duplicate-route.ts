/** `duplicate-route`: two pages with the same slug, method and format. The first one handles the requests. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const duplicateRoute = message(
  'duplicate-route',
  'warning',
  'WS17',
  (method: string, slug: string, otherSpan: Span) => ({
    subject: { kind: 'route', name: `${method.toUpperCase()} ${slug}` },
    text: `Another page already handles ${quote(`${method.toUpperCase()} ${slug}`)}.`,
    hint: 'Give one of the pages another slug, method or format.',
    related: [{ span: otherSpan, message: 'the other page is here' }],
  }),
  {
    wrong: {
      'app/views/pages/a.liquid': `---
slug: x/:id
---
a`,
      'app/views/pages/b.liquid': `---
slug: x/:name
---
b`,
    },
    right: {
      'app/views/pages/a.liquid': `---
slug: x/:id
---
a`,
      'app/views/pages/b.liquid': `---
slug: y/:name
---
b`,
    },
  },
)
