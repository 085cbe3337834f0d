/**
 * `ignored-setting`: a setting of the platform that has no effect here. Reported by `Entries` (language/settings/setting.ts) and
 * `checkUploadOptions` (language/settings/upload-options.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const ignoredSetting = message(
  'ignored-setting',
  'info',
  'ValidFrontmatter',
  (key: string) => ({
    text: `The setting ${quote(key)} has no effect here.`,
    change: { edits: [{ target: 'entry', text: '' }] },
  }),
  {
    wrong: { 'app/config.yml': 'skip_elasticsearch: true\n' },
    right: { 'app/config.yml': 'safe_translate: true\n' },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
