/**
 * `setting-refused`: a setting that a deploy rejects, or that this compiler does not support. `platform` is the error
 * message of the platform.
 */
import { type Fix, message } from '../../diagnostic.ts'

export const settingRefused = message(
  'setting-refused',
  'error',
  'ValidFrontmatter',
  (reason: string, fix?: Fix | null, platform?: string) => ({
    text: `${reason}.`,
    ...fix,
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
