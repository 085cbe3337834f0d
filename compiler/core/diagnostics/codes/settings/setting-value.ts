/** `setting-value`: a setting with a value that it does not take; the default counts instead. */
import { meant } from '../../change.ts'
import { type Mend, message } from '../../diagnostic.ts'
import { nearest } from '../../suggest.ts'
import { quoted } from '../../words.ts'

/** The nearest of the values that the words name. */
function valueMeant(found: string, expected: string): Mend | undefined {
  const known = [...expected.matchAll(/`([^`]*)`/g)].map((each) => each[1] ?? '')
  return meant(found, nearest(found.toLowerCase(), known))
}

/** What is to be written in the place of the value, where the hint says it with the key. */
function ofKey(key: string, hint: string): Mend {
  const text = new RegExp(`^Write \`${key}: ([^\`…]+)\`\\.$`).exec(hint)?.[1]
  return text === undefined ? { hint } : { hint, change: { edits: [{ text }] } }
}

export const settingValue = message(
  'setting-value',
  'warning',
  'ValidFrontmatter',
  (key: string, expected: string, found: string, mend: string | null = null) => ({
    text: `The setting ${quoted(key)} takes ${expected}, and ${found === '' ? 'there is none' : `this is ${quoted(found)}`}.`,
    ...(mend !== null ? ofKey(key, mend) : valueMeant(found, expected)),
  }),
  {
    wrong: `---
redirect_to: /
redirect_code: 200
---
`,
    right: `---
redirect_to: /
redirect_code: 301
---
`,
  },
)
