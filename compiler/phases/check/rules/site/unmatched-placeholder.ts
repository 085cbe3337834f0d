/** `unmatched-placeholder`: a placeholder that is spelled differently in another language. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unmatchedPlaceholder = message(
  'unmatched-placeholder',
  'warning',
  'MatchingTranslations',
  /** `locale`: the language with the other spelling under the same key; null if other texts have that spelling. */
  (key: string, name: string, suggestion: string, locale: string | null, text: Span) => ({
    subject: { kind: 'placeholder', name, of: key, meant: suggestion },
    text: `The translation ${quote(key)} has the placeholder ${quote(name)}, but ${locale === null ? 'other texts have' : `\`${locale}\` has`} ${quote(suggestion)}.`,
    hint: `Write ${quote(`%{${suggestion}}`)}.`,
    change: { edits: [{ part: `%{${name}}`, text: `%{${suggestion}}` }] },
    related: [{ span: text, message: 'the other text is here' }],
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
