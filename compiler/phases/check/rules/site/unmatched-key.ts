/** `unmatched-key`: a computed translation key that no translation can match. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const TEXTS = 'en:\n  status:\n    draft: Draft\n'

export const unmatchedKey = message(
  'unmatched-key',
  'warning',
  'TranslationKeyExists',
  (prefix: string, suffix: string, exact: boolean) => ({
    subject: { kind: 'translation', name: exact ? prefix : `${prefix}…${suffix}` },
    text: exact
      ? `This key can be ${quote(prefix)}, but there is no such translation.`
      : `No translation key matches ${quote(`${prefix}…${suffix}`)}.`,
    hint: 'Correct the fixed part of the key, or add the translations.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid':
        "{% assign key = 'statuz.' | append: context.params.kind %}{{ key | t }}{{ 'status.draft' | t }}",
      'app/translations/en.yml': TEXTS,
    },
    right: {
      'app/views/pages/index.liquid': "{% assign key = 'status.' | append: context.params.kind %}{{ key | t }}",
      'app/translations/en.yml': TEXTS,
    },
  },
)
