/**
 * `reserved-route`: a slug that the server reserves for itself. Reported by `routeOfPage` (language/settings/page.ts) and
 * `checkStudioPath` (phases/check/site/codes-of-other-phases.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const reservedRoute = message(
  'reserved-route',
  'warning',
  'ReservedRoute',
  /** `studio`: the path of the studio, if the studio answers instead. */
  (slug: string, studio: string | null = null) => ({
    text:
      studio === null
        ? `The server handles ${quote(slug)} itself, so this page is never shown.`
        : `The studio answers at ${quote(studio)}, so this page is never shown outside of development.`,
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
