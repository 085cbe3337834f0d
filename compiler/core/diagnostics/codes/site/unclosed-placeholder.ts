/** `unclosed-placeholder`: a place for a value in a translation whose `}` is missing, so that it stays as it is written. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unclosedPlaceholder = message(
  'unclosed-placeholder',
  'warning',
  'WS35',
  (written: string) => ({
    text: `The place for a value that begins with ${quoted(written)} has no \`}\`, so it is printed as it stands.`,
    hint: `Write ${quoted(`${written}}`)}.`,
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
