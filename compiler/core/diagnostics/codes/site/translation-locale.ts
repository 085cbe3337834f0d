/**
 * `translation-locale`: a translation file without a language, or with a language that does not match its path. Reported by `translation`
 * (language/settings/translation.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const translationLocale = message(
  'translation-locale',
  'warning',
  'TranslationLocale',
  (found: string | null, expected: string | null) => ({
    text:
      found === null
        ? 'A translation file must begin with the code of its language.'
        : expected === null
          ? `${quote(found)} is not a locale: a locale consists of letters, digits and dashes.`
          : `This file is for ${quote(found)}, but its path says ${quote(expected)}.`,
    hint: `Write \`${expected ?? 'en'}:\` on the first line, and indent the rest.`,
    change: found === null || expected === null ? undefined : { edits: [{ part: found, text: expected }] },
  }),
  {
    wrong: {
      'app/translations/pl/home.yml': `en:
  b: B
`,
    },
    right: {
      'app/translations/en/home.yml': `en:
  b: B
`,
    },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
