/** `deprecated-tag`: a tag that has a successor. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const deprecatedTag = message(
  'deprecated-tag',
  'warning',
  'DeprecatedTag',
  (name: string, successor: string | null) => ({
    text: `The tag ${quoted(name)} is deprecated.`,
    hint: successor === null ? undefined : `Use \`${successor}\`.`,
    change: successor === null ? undefined : { edits: [{ part: name, text: successor }], safe: true },
  }),
  {
    wrong: `{% assign h = {} %}{% hash_assign h['a'] = 1 %}{{ h }}`,
    right: `{% assign h = {} %}{% assign h['a'] = 1 %}{{ h }}`,
  },
)
