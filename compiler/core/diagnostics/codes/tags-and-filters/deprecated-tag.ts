/** `deprecated-tag`: a tag that has a successor. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const deprecatedTag = message(
  'deprecated-tag',
  'warning',
  'DeprecatedTag',
  /** `isRenamed`: the successor is written the same way. */
  (name: string, successor: string, isRenamed: boolean) => ({
    text: `The tag ${quoted(name)} is deprecated.`,
    hint: `Use \`${successor}\`.`,
    change: isRenamed ? { edits: [{ part: name, text: successor }], safe: true } : undefined,
  }),
  {
    wrong: `{% assign h = {} %}{% hash_assign h['a'] = 1 %}{{ h }}`,
    right: `{% assign h = {} %}{% assign h['a'] = 1 %}{{ h }}`,
  },
)
