/** `slug-syntax`: a slug with an invalid pattern. Reported by `routeOfPage` (language/settings/page.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const slugSyntax = message(
  'slug-syntax',
  'error',
  'ValidFrontmatter',
  (slug: string, problem: string) => ({
    text: `The slug ${quote(slug)} is not valid: ${problem}.`,
  }),
  {
    wrong: `---
slug: a/:id(/:x
---
x`,
    right: `---
slug: a/:id(/:x)
---
x`,
  },
)
