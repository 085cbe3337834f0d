/** `unplaced-argument`: an argument of `t` that no translation has a place for, whatever its key is. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unplacedArgument = message(
  'unplaced-argument',
  'warning',
  'WS35',
  (name: string, meant: string) => ({
    text: `No translation has a place for ${quoted(name)}.`,
    ...meantName(name, [meant]),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign key = context.params.key %}{{ key | t: nmae: 'Ada' }}{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: Hello %{name}
`,
    },
    right: {
      'app/views/pages/index.liquid': `{% assign key = context.params.key %}{{ key | t: name: 'Ada' }}{{ 'hello' | t: name: 'Ada' }}`,
      'app/translations/en.yml': `en:
  hello: Hello %{name}
`,
    },
  },
)
