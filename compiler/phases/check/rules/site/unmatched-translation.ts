/** `unmatched-translation`: a key that one language has and another lacks. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unmatchedTranslation = message(
  'unmatched-translation',
  'warning',
  'MatchingTranslations',
  /** `twin`: a similar key that only the other language has. */
  (key: string, present: string, missing: string, twin: { readonly key: string; readonly span: Span } | null = null) =>
    twin === null
      ? {
          subject: { kind: 'translation', name: key, of: present, names: [missing] },
          text: `${quote(key)} exists in \`${present}\` but not in \`${missing}\`.`,
        }
      : {
          subject: { kind: 'translation', name: key, of: present, names: [missing], meant: twin.key },
          text: `${quote(key)} exists in \`${present}\` but not in \`${missing}\`, which has ${quote(twin.key)}.`,
          hint: 'Use the same key in both languages.',
          related: [{ span: twin.span, message: 'the similar key is here' }],
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
