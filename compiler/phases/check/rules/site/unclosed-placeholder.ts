/** `unclosed-placeholder`: a placeholder in a translation without its closing `}`. It is printed unchanged. */
import { ofTranslations, translationTexts } from '../../site/translations.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unclosedPlaceholder = message(
  'unclosed-placeholder',
  'warning',
  'WS35',
  (writtenText: string) => ({
    text: `The placeholder ${quote(writtenText)} has no closing \`}\`, so it is printed unchanged.`,
    hint: `Write ${quote(`${writtenText}}`)}.`,
    change: { edits: [{ part: writtenText, text: `${writtenText}}` }] },
  }),
  {
    wrong: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: `hello: 'Hello %{name'` }),
    right: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: `hello: 'Hello %{name}'` }),
  },
)

/** Matches a placeholder without its closing brace. */
const UNCLOSED_PLACEHOLDER = /(?<!%)%\{\w+(?=[^\w}]|$)/

/** Reports the first unclosed placeholder of each text. */
export const checkUnclosedPlaceholders = ofTranslations('unclosed placeholders', (site) =>
  [...translationTexts(site)].flatMap(([, { value, span }]) => {
    const writtenText =
      typeof value === 'string' && value.includes('%{') ? UNCLOSED_PLACEHOLDER.exec(value)?.[0] : undefined
    return writtenText === undefined ? [] : [unclosedPlaceholder(span, writtenText)]
  }),
)
