/** `unused-translation-argument`: an argument for which the translation has no placeholder. */
import { escapePattern } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedTranslationArgument = message(
  'unused-translation-argument',
  'warning',
  'WS35',
  // `written`: the text that was meant as the placeholder.
  (key: string, name: string, text: Span | null, writtenText: string | null = null) => ({
    subject:
      writtenText === null
        ? { kind: 'argument', name, of: key }
        : { kind: 'placeholder', name: writtenText, of: key, meant: name },
    text: `The translation ${quote(key)} has no placeholder ${quote(name)}.`,
    hint:
      writtenText === null
        ? `Add \`%{${name}}\` to the text, or remove the argument.`
        : `Write \`%{${name}}\` instead of ${quote(writtenText)} in the text.`,
    change:
      writtenText === null || text === null
        ? undefined
        : { edits: [{ span: text, match: escapePattern(writtenText), text: `%{${name}}` }] },
    related: text === null ? [] : [{ span: text, message: 'the text is here' }],
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
