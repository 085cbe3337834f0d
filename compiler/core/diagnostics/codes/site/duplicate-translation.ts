/** `duplicate-translation`: one key of one language in two files. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateTranslation = message(
  'duplicate-translation',
  'error',
  'DuplicateTranslation',
  (key: string, locale: string, first: Span) => ({
    text: `${quoted(key)} is defined twice for \`${locale}\`.`,
    hint: 'Keep one of the two.',
    related: [{ span: first, message: 'it is defined here first' }],
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
