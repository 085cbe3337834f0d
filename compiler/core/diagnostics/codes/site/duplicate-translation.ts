/**
 * `duplicate-translation`: a translation key that two files define for the same language. Reported by `addKeys`
 * (language/settings/translations.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const duplicateTranslation = message(
  'duplicate-translation',
  'error',
  'DuplicateTranslation',
  (key: string, locale: string, firstSpan: Span) => ({
    subject: { kind: 'translation', name: key, of: locale },
    text: `${quote(key)} is defined twice for \`${locale}\`.`,
    hint: 'Remove one of the two translations.',
    related: [{ span: firstSpan, message: 'the key is first defined here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'a' | t }}`,
      'app/translations/en.yml': `en:
  a: A
`,
      'app/translations/more.yml': `en:
  a: B
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'a' | t }}{{ 'b' | t }}`,
      'app/translations/en.yml': `en:
  a: A
`,
      'app/translations/more.yml': `en:
  b: B
`,
    },
  },
)
