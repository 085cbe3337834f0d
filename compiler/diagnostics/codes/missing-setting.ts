/** `missing-setting`: a key that files of this kind need. */
import { message } from '../diagnostic.ts'
import { a, quoted, upper } from '../words.ts'

export const missingSetting = message(
  'missing-setting',
  'error',
  'ValidFrontmatter',
  (key: string, kind: string) => ({
    text: `${upper(a(kind))} needs the setting ${quoted(key)}.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
properties:
  - type: string
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: string
`,
    },
  },
)
