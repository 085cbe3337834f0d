/** `missing-translation`: a key that no file of the default language defines. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingTranslation = message(
  'missing-translation',
  'warning',
  'TranslationKeyExists',
  (key: string, known: Iterable<string>) => ({
    text: `No translation defines ${quoted(key)}.`,
    ...(meantName(key, known) ?? { hint: 'Define it in `app/translations/en.yml`, or pass `default:`.' }),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'home.titel' | t }}`,
      'app/translations/en.yml': `en:
  home:
    title: Home
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'home.title' | t }}`,
      'app/translations/en.yml': `en:
  home:
    title: Home
`,
    },
  },
)
