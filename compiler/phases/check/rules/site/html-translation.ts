/** `html-translation`: a translation whose HTML is not balanced. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { htmlProblem } from '../../walk/html.ts'
import { ofTranslations, translationTexts } from '../../site/translations.ts'

export const htmlTranslation = message(
  'html-translation',
  'warning',
  'ValidHTMLTranslation',
  (key: string, problem: string) => ({
    subject: { kind: 'translation', name: key },
    text: `The HTML of the translation ${quote(key)} is not valid: ${problem}.`,
  }),
  {
    wrong: textSite(`{{ 'a_html' | t }}`, { en: 'a_html: <b>x' }),
    right: textSite(`{{ 'a_html' | t }}`, { en: 'a_html: <b>x</b>' }),
  },
)

/** Reports translations whose keys end with `_html` and whose texts are not valid HTML. */
export const checkTranslationHtml = ofTranslations('html', (site) =>
  [...translationTexts(site)].flatMap(([key, { value, span }]) => {
    if (typeof value !== 'string' || !/_html(?:\.(?:zero|one|two|few|many|other))?$/.test(key)) return []
    const problem = htmlProblem(value)
    return problem === null ? [] : [htmlTranslation(span, key, problem)]
  }),
)
