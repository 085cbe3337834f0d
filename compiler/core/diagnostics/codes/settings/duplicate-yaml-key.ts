/**
 * `duplicate-yaml-key`: a key that occurs twice in a mapping. The last value is used. Reported by `parseYaml` (language/settings/yaml.ts).
 */
import type { Span } from '../../../source/span.ts'
import { type Change, message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const duplicateYamlKey = message(
  'duplicate-yaml-key',
  'warning',
  'DuplicateYAMLKey',
  /** `entry`: the change that makes the second key begin a new list entry, if the first key begins one. */
  (key: string, firstSpan: Span, entry: Change | null = null) => ({
    subject: { kind: 'setting', name: key },
    text: `The key ${quote(key)} is set twice; the last value is used.`,
    hint: entry === null ? 'Remove one of the two entries.' : `If a new entry begins here, write \`- ${key}\`.`,
    change: entry ?? { edits: [{ span: firstSpan, target: 'entry', text: '' }], safe: true },
    related: [{ span: firstSpan, message: 'the key is first set here' }],
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
