/** `unused-translation-argument`: an argument that the text of the translation has no place for. */
import { literalPattern } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedTranslationArgument = message(
  'unused-translation-argument',
  'warning',
  'WS35',
  // `written`: what stands in the text where a place was meant.
  (key: string, name: string, text: Span | null, written: string | null = null) => ({
    text: `The translation ${quoted(key)} has no place for ${quoted(name)}.`,
    hint:
      written === null
        ? `The text names its places as \`%{${name}}\`.`
        : `Write \`%{${name}}\` instead of ${quoted(written)} in the text.`,
    change:
      written === null || text === null
        ? undefined
        : { edits: [{ span: text, match: literalPattern(written), text: `%{${name}}` }] },
    related: text === null ? [] : [{ span: text, message: 'the text stands here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: Hello
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'hello' | t }}`,
      'app/translations/en.yml': `en:
  hello: Hello
`,
    },
  },
)
