/** `duplicate-yaml-key`: one key twice in a mapping; the last value is the one that counts. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateYamlKey = message(
  'duplicate-yaml-key',
  'warning',
  'DuplicateYAMLKey',
  (key: string, first: Span) => ({
    text: `The key ${quoted(key)} is given twice; the last value counts.`,
    hint: 'Take one of the two away.',
    change: { edits: [{ span: first, reach: 'entry', text: '' }], safe: true },
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
