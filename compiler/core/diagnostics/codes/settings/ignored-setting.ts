/**
 * `ignored-setting`: a setting of the platform that has no effect here. Reported by `Entries` (language/settings/setting.ts) and
 * `checkUploadOptions` (language/settings/upload-options.ts).
 */
import { message } from '../../diagnostic.ts'
import { fileExamples } from '../../file-examples.ts'
import { quote } from '../../words.ts'

export const ignoredSetting = message(
  'ignored-setting',
  'info',
  'ValidFrontmatter',
  (key: string) => ({
    text: `The setting ${quote(key)} has no effect here.`,
    change: { edits: [{ target: 'entry', text: '' }] },
  }),
  fileExamples('app/config.yml', 'skip_elasticsearch: true\n', 'safe_translate: true\n'),
)
