/** `unknown-setting`: a key that files of this kind do not have. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { a, quoted, upper } from '../words.ts'

export const unknownSetting = message(
  'unknown-setting',
  'warning',
  'ValidFrontmatter',
  (key: string, kind: string, known: Iterable<string>) => ({
    text: `${upper(a(kind))} has no setting ${quoted(key)}.`,
    hint: didYouMean(key, known),
  }),
  {
    wrong: `---
slugg: a
---
x`,
    right: `---
slug: a
---
x`,
  },
)
