/**
 * `setting-refused`: a setting that no deploy takes, or that this compiler does not build. `mend` may be empty; `platform` is what the
 * platform says of it.
 */
import { inWords } from '../../change.ts'
import { type Mend, message } from '../../diagnostic.ts'

export const settingRefused = message(
  'setting-refused',
  'error',
  'ValidFrontmatter',
  (reason: string, mend: string | Mend, platform?: string) => ({
    text: `${reason}.`,
    ...(typeof mend === 'string' ? inWords(mend, reason) : mend),
    platform,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: strng
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
