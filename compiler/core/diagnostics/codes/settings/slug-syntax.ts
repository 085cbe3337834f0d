/** `slug-syntax`: a slug whose pattern cannot be read. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const slugSyntax = message(
  'slug-syntax',
  'error',
  'ValidFrontmatter',
  (slug: string, problem: string) => ({
    text: `The slug ${quoted(slug)} cannot be read: ${problem}.`,
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
