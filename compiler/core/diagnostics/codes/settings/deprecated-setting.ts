/** `deprecated-setting`: a setting that is deprecated. Reported by `Entries` (language/settings/setting.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const deprecatedSetting = message(
  'deprecated-setting',
  'warning',
  'ValidFrontmatter',
  (key: string, successor: string | null) => ({
    text: `The setting ${quote(key)} is deprecated.`,
    hint: successor === null ? undefined : `Use \`${successor}\`.`,
    change: successor === null ? undefined : { edits: [{ part: key, text: successor }], safe: true },
  }),
  {
    wrong: `---
layout_name: base
---
x`,
    right: `---
layout: base
---
x`,
    both: { 'app/views/layouts/base.liquid': '{{ content_for_layout }}' },
  },
)
