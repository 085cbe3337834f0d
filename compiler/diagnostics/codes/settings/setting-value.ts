/** `setting-value`: a setting with a value that it does not take; the default counts instead. */
import { message } from '../../diagnostic.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const settingValue = message(
  'setting-value',
  'warning',
  'ValidFrontmatter',
  (key: string, expected: string, found: string, mend: string | null = null) => ({
    text: `The setting ${quoted(key)} takes ${expected}, and ${found === '' ? 'there is none' : `this is ${quoted(found)}`}.`,
    hint:
      mend ??
      didYouMean(
        found.toLowerCase(),
        [...expected.matchAll(/`([^`]*)`/g)].map((each) => each[1] ?? ''),
      ),
  }),
  {
    wrong: `---
redirect_to: /a
redirect_code: 200
---
`,
    right: `---
redirect_to: /a
redirect_code: 301
---
`,
  },
)
