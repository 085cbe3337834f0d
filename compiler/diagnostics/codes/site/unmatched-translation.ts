/** `unmatched-translation`: a key that one language has and another lacks. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unmatchedTranslation = message(
  'unmatched-translation',
  'warning',
  'MatchingTranslations',
  (key: string, present: string, missing: string) => ({
    text: `${quoted(key)} exists in \`${present}\` and not in \`${missing}\`.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'a' | t }}`,
      'app/translations/en.yml': `en:
  a: A
`,
      'app/translations/pl.yml': `pl:
  a: A
  b: B
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'a' | t }}`,
      'app/translations/en.yml': `en:
  a: A
`,
      'app/translations/pl.yml': `pl:
  a: A
`,
    },
  },
)
