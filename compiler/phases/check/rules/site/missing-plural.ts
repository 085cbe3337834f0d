/** `missing-plural`: a translation that is used with `count` but lacks plural forms. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const missingPlural = message(
  'missing-plural',
  'warning',
  'WS35',
  (key: string, missingNames: Iterable<string>, forms: Span | null = null) => ({
    subject: { kind: 'translation', name: key, names: [...missingNames] },
    text: `The translation ${quote(key)} is used with \`count\`, but it has no plural form ${joinWithAnd(missingNames)}.`,
    related: forms === null ? [] : [{ span: forms, message: 'its plural forms are here' }],
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
