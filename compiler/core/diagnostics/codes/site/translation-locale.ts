/** `translation-locale`: a translation file without a language, or with another one than its path tells. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const translationLocale = message(
  'translation-locale',
  'warning',
  'TranslationLocale',
  (found: string | null, expected: string | null) => ({
    text:
      found === null
        ? 'A translation file begins with its language.'
        : expected === null
          ? `${quoted(found)} is no locale, which is a word of letters, digits and dashes.`
          : `This file is for ${quoted(found)}, and its path says ${quoted(expected)}.`,
    hint: `Write \`${expected ?? 'en'}:\` on the first line and indent the rest.`,
    change: found === null || expected === null ? undefined : { edits: [{ part: found, text: expected }] },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/translations/pl/home.yml': `en:
  b: B
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/translations/en/home.yml': `en:
  b: B
`,
    },
  },
)
