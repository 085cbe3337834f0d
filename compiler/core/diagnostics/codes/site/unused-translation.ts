/** `unused-translation`: a translation whose key no template names. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedTranslation = message(
  'unused-translation',
  'info',
  'UnusedTranslation',
  (key: string) => ({
    text: `No template names the translation ${quoted(key)}.`,
    hint: 'Take it away, in the other languages as well, unless its key comes from stored data.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/translations/en.yml': 'en:\n  title: Title\n' },
    right: { 'app/views/pages/index.liquid': "{{ 'title' | t }}", 'app/translations/en.yml': 'en:\n  title: Title\n' },
  },
)
