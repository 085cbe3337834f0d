/** `unknown-setting`: a key that files of this kind do not have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { a, listed, quoted, upper } from '../../words.ts'

export const unknownSetting = message(
  'unknown-setting',
  'warning',
  'ValidFrontmatter',
  // `path` leads to the mapping that the key stands in.
  (key: string, kind: string, known: Iterable<string>, path: string | null = null, platform?: string) => {
    const names = [...known]
    return {
      text: `${upper(a(kind))} has no setting ${quoted(path === null ? key : `${path}.${key}`)}.`,
      ...(meantName(key, names) ??
        (path === null || names.length === 0 ? {} : { hint: `There are ${listed(names, 12)}.` })),
      platform,
    }
  },
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
