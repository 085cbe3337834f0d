/** `unused-translation`: a translation that no template uses. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedTranslation = message(
  'unused-translation',
  'info',
  'UnusedTranslation',
  (key: string) => ({
    subject: { kind: 'translation', name: key },
    text: `No template uses the translation ${quote(key)}.`,
    hint: 'Remove the key in all languages, unless its key comes from stored data.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/translations/en.yml': 'en:\n  title: Title\n' },
    right: { 'app/views/pages/index.liquid': "{{ 'title' | t }}", 'app/translations/en.yml': 'en:\n  title: Title\n' },
  },
)
