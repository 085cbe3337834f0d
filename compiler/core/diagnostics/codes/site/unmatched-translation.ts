/** `unmatched-translation`: a key that one language has and another lacks. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unmatchedTranslation = message(
  'unmatched-translation',
  'warning',
  'MatchingTranslations',
  /** `twin`: a key that only the other language has, and that is spelled nearly so. */
  (key: string, present: string, missing: string, twin: { readonly key: string; readonly span: Span } | null = null) =>
    twin === null
      ? { text: `${quoted(key)} exists in \`${present}\` and not in \`${missing}\`.` }
      : {
          text: `${quoted(key)} exists in \`${present}\` and not in \`${missing}\`, which has ${quoted(twin.key)}.`,
          hint: 'Give both the same name.',
          related: [{ span: twin.span, message: 'It is called so here.' }],
        },
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
