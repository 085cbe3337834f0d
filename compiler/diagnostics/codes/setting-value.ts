/** `setting-value`: a setting with a value that it does not take; the default counts instead. */
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const settingValue = message(
  'setting-value',
  'warning',
  'ValidFrontmatter',
  (key: string, expected: string, found: string) => ({
    text: `The setting ${quoted(key)} takes ${expected}, and this is ${quoted(found)}.`,
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
