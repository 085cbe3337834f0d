/** `missing-translation`: a translation key that is not defined in the default language. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingTranslation = message(
  'missing-translation',
  'warning',
  'TranslationKeyExists',
  (key: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'translation', name: key },
    text: `There is no translation for ${quote(key)}.`,
    ...(suggestName(key, knownNames) ?? { hint: 'Define the key in `app/translations/en.yml`, or pass `default:`.' }),
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
