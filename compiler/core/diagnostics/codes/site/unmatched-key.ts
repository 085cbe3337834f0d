/** `unmatched-key`: a key that a template puts together, and no translation has one like it. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const TEXTS = 'en:\n  status:\n    draft: Draft\n'

export const unmatchedKey = message(
  'unmatched-key',
  'warning',
  'TranslationKeyExists',
  (prefix: string, suffix: string, exact: boolean) => ({
    text: exact
      ? `This key can be ${quoted(prefix)}, which no translation defines.`
      : `No translation has a key like ${quoted(`${prefix}…${suffix}`)}.`,
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
