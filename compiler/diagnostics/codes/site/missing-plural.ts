/** `missing-plural`: `count` for a translation that lacks plural forms. */
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const missingPlural = message(
  'missing-plural',
  'warning',
  'WS35',
  (key: string, missing: Iterable<string>) => ({
    text: `\`count\` is given, and the translation ${quoted(key)} lacks ${listed(missing)}.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'cart.items' | t: count: 2 }}`,
      'app/translations/en.yml': `en:
  cart:
    items:
      one: "%{count} item"
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'cart.items' | t: count: 2 }}`,
      'app/translations/en.yml': `en:
  cart:
    items:
      one: "%{count} item"
      other: "%{count} items"
`,
    },
  },
)
