/** `missing-plural`: `count` for a translation that lacks plural forms. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const missingPlural = message(
  'missing-plural',
  'warning',
  'WS35',
  (key: string, missing: Iterable<string>, forms: Span | null = null) => ({
    text: `The translation ${quoted(key)} is one of a number, and lacks ${listed(missing)}.`,
    related: forms === null ? [] : [{ span: forms, message: 'its forms stand here' }],
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
