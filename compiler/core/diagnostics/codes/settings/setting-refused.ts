/**
 * `setting-refused`: a setting that a deploy rejects, or that this compiler does not support. `platform` is the error message of the
 * platform. Reported by `studio` (language/settings/config.ts), `readGroup` (language/settings/form-fields.ts), `readList`
 * (language/settings/form-fields.ts), `readNested` (language/settings/form-fields.ts), `readField` (language/settings/form-fields.ts),
 * `readOptions` (language/settings/form-fields.ts), `isOn` (language/settings/form-fields.ts), `migration`
 * (language/settings/migration.ts), `properties` (language/settings/properties.ts), `property` (language/settings/properties.ts), `typeOf`
 * (language/settings/properties.ts), `Entries` (language/settings/setting.ts) and `reportIssue` (language/settings/setting.ts).
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
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: strng
`,
    },
    right: {
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: string
`,
    },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
