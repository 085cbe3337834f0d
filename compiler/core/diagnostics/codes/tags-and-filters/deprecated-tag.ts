/** `deprecated-tag`: a tag that is deprecated. Reported by `checkOpen` (phases/parse/parse-template.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const deprecatedTag = message(
  'deprecated-tag',
  'warning',
  'DeprecatedTag',
  /** `isRenamed`: the successor has the same syntax. */
  (name: string, successor: string, isRenamed: boolean) => ({
    text: `The tag ${quote(name)} is deprecated.`,
    hint: `Use \`${successor}\`.`,
    change: isRenamed ? { edits: [{ part: name, text: successor }], safe: true } : undefined,
  }),
  {
    wrong: `{% assign h = {} %}{% hash_assign h['a'] = 1 %}{{ h }}`,
    right: `{% assign h = {} %}{% assign h['a'] = 1 %}{{ h }}`,
  },
)
