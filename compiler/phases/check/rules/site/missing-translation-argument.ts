/** `missing-translation-argument`: a placeholder in a translation for which the call passes no argument. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const missingTranslationArgument = message(
  'missing-translation-argument',
  'warning',
  'WS35',
  // `instead`: the only argument of the call for which the text has no placeholder.
  (key: string, names: Iterable<string>, text: Span | null, instead: string | null = null) => ({
    subject: { kind: 'argument', name: [...names][0] ?? '', of: key, names: [...names], written: instead },
    text: `The translation ${quote(key)} needs ${joinWithAnd(names)}${instead === null ? '' : `, but this is ${quote(instead)}`}.`,
    hint:
      instead === null
        ? undefined
        : `Write ${quote(`${[...names].join()}: …`)}, or change the text to \`%{${instead}}\`.`,
    change: instead === null ? undefined : { edits: [{ part: instead, text: [...names].join() }] },
    related: text === null ? [] : [{ span: text, message: 'the text is here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'hello' | t }}`,
      'app/translations/en.yml': `en:
  hello: Hello %{name}
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: Hello %{name}
`,
    },
  },
)
