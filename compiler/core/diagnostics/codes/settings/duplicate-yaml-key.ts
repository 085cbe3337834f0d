/** `duplicate-yaml-key`: one key twice in a mapping; the last value is the one that counts. */
import type { Span } from '../../../source/span.ts'
import { type Change, message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateYamlKey = message(
  'duplicate-yaml-key',
  'warning',
  'DuplicateYAMLKey',
  /** `entry`: what makes the second one begin another entry of a list, where the first one begins one. */
  (key: string, first: Span, entry: Change | null = null) => ({
    text: `The key ${quoted(key)} is given twice; the last value counts.`,
    hint: entry === null ? 'Take one of the two away.' : `Where another entry begins, write \`- ${key}\`.`,
    change: entry ?? { edits: [{ span: first, reach: 'entry', text: '' }], safe: true },
    related: [{ span: first, message: 'it is given here first' }],
  }),
  {
    wrong: `---
slug: a
slug: b
---
x`,
    right: `---
slug: b
---
x`,
  },
)
