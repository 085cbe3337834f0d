/** `missing-translation-argument`: a name in the text of a translation that the call does not fill. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const missingTranslationArgument = message(
  'missing-translation-argument',
  'warning',
  'WS35',
  // `instead`: the only name that the call gives and the text has no place for.
  (key: string, names: Iterable<string>, text: Span | null, instead: string | null = null) => ({
    text: `The translation ${quoted(key)} needs ${listed(names)}${instead === null ? '' : `, and this is ${quoted(instead)}`}.`,
    hint:
      instead === null ? undefined : `Write ${quoted(`${[...names].join()}: …`)}, or \`%{${instead}}\` in the text.`,
    change: instead === null ? undefined : { edits: [{ part: instead, text: [...names].join() }] },
    related: text === null ? [] : [{ span: text, message: 'the text stands here' }],
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
