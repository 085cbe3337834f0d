/** `unplaced-argument`: an argument of `t` for which no translation has a placeholder. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unplacedArgument = message(
  'unplaced-argument',
  'warning',
  'WS35',
  (name: string, suggestion: string) => ({
    text: `No translation has a placeholder ${quote(name)}.`,
    ...suggestName(name, [suggestion]),
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
