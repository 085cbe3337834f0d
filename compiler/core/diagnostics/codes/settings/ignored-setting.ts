/** `ignored-setting`: a setting of the platform that has no meaning here. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const ignoredSetting = message(
  'ignored-setting',
  'info',
  'ValidFrontmatter',
  (key: string) => ({
    text: `The setting ${quoted(key)} has no effect here.`,
    change: { edits: [{ reach: 'entry', text: '' }] },
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/config.yml': 'skip_elasticsearch: true\n' },
    right: { 'app/views/pages/index.liquid': 'x', 'app/config.yml': 'safe_translate: true\n' },
  },
)
