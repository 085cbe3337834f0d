/** `unmatched-placeholder`: a place for a value that one language spells otherwise than another. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unmatchedPlaceholder = message(
  'unmatched-placeholder',
  'warning',
  'MatchingTranslations',
  /** `locale`: the language that has the other one under the same key; null where other texts have it. */
  (key: string, name: string, meant: string, locale: string | null, text: Span) => ({
    text: `The translation ${quoted(key)} has a place for ${quoted(name)}, and ${locale === null ? 'other texts have one' : `\`${locale}\` has it`} for ${quoted(meant)}.`,
    hint: `Write ${quoted(`%{${meant}}`)}.`,
    change: { edits: [{ part: `%{${name}}`, text: `%{${meant}}` }] },
    related: [{ span: text, message: 'the other text stands here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: 'Hello %{name}'
`,
      'app/translations/de.yml': `de:
  hello: 'Hallo %{nmae}'
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: 'Hello %{name}'
`,
      'app/translations/de.yml': `de:
  hello: 'Hallo %{name}'
`,
    },
  },
)
