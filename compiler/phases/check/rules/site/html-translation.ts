/** `html-translation`: a translation whose HTML is not balanced. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const htmlTranslation = message(
  'html-translation',
  'warning',
  'ValidHTMLTranslation',
  (key: string, problem: string) => ({
    subject: { kind: 'translation', name: key },
    text: `The HTML of the translation ${quote(key)} is not valid: ${problem}.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'a_html' | t }}`,
      'app/translations/en.yml': `en:
  a_html: <b>x
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'a_html' | t }}`,
      'app/translations/en.yml': `en:
  a_html: <b>x</b>
`,
    },
  },
)
