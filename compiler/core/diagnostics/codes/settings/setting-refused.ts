/**
 * `setting-refused`: a setting that a deploy rejects, or that this compiler does not support. `fix` may be empty. `platform` is the
 * error message of the platform.
 */
import { parseHint } from '../../change.ts'
import { type Fix, message } from '../../diagnostic.ts'

export const settingRefused = message(
  'setting-refused',
  'error',
  'ValidFrontmatter',
  (reason: string, fix: string | Fix, platform?: string) => ({
    text: `${reason}.`,
    ...(typeof fix === 'string' ? parseHint(fix, reason) : fix),
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
