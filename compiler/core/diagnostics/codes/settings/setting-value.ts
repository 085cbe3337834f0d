/** `setting-value`: a setting with an invalid value. The default is used instead. */
import { suggestReplacement } from '../../change.ts'
import { type Fix, message } from '../../diagnostic.ts'
import { findNearest } from '../../suggest.ts'
import { quote } from '../../words.ts'

/** Suggests the allowed value that is most similar to the one found. */
function suggestValue(found: string, expected: string): Fix | undefined {
  const allowedValues = [...expected.matchAll(/`([^`]*)`/g)].map((each) => each[1] ?? '')
  return suggestReplacement(found, findNearest(found.toLowerCase(), allowedValues))
}

/** Adds a change to the hint if the hint names the key with its new value. */
function withChange(key: string, hint: string): Fix {
  const text = new RegExp(`^Write \`${key}: ([^\`…]+)\`\\.$`).exec(hint)?.[1]
  return text === undefined ? { hint } : { hint, change: { edits: [{ text }] } }
}

export const settingValue = message(
  'setting-value',
  'warning',
  'ValidFrontmatter',
  (key: string, expected: string, found: string, fix: string | null = null) => ({
    subject: { kind: 'setting', name: key, written: found },
    text: `The setting ${quote(key)} takes ${expected}, but ${found === '' ? 'it has no value' : `this is ${quote(found)}`}.`,
    ...(fix !== null ? withChange(key, fix) : suggestValue(found, expected)),
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
