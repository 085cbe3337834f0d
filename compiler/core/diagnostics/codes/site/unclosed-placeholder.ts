/** `unclosed-placeholder`: a placeholder in a translation without its closing `}`. It is printed unchanged. */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unclosedPlaceholder = message(
  'unclosed-placeholder',
  'warning',
  'WS35',
  (written: string) => ({
    text: `The placeholder ${quote(written)} has no closing \`}\`, so it is printed unchanged.`,
    hint: `Write ${quote(`${written}}`)}.`,
    change: { edits: [{ part: written, text: `${written}}` }] },
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
