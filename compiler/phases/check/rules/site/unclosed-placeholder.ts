/** `unclosed-placeholder`: a placeholder in a translation without its closing `}`. It is printed unchanged. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
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
    wrong: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: 'Hello %{name'
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: 'Hello %{name}'
`,
    },
  },
)
