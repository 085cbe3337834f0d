/** `misspelt-field`: a field that is used only once in the site and is spelled almost like another one. */
import { replaceWith } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const misspeltField = message(
  'misspelt-field',
  'warning',
  'UnknownProperty',
  /** `read`: where a template reads the other field; null for a field that is built in. */
  (name: string, suggestion: string, read: Span | null) => ({
    subject: { kind: 'field', name, meant: suggestion },
    text: `The field ${quote(name)} is used nowhere else in the site.`,
    ...replaceWith(suggestion, false),
    related: read === null ? [] : [{ span: read, message: `${quote(suggestion)} is read here` }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign given = context.params.shop %}{{ given.street }}{% render 'town', shop: given %}`,
      'app/views/partials/town.liquid': '{{ shop.steet }} {{ shop.street }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% assign given = context.params.shop %}{{ given.street }}{% render 'town', shop: given %}`,
      'app/views/partials/town.liquid': '{{ shop.street }}',
    },
  },
)
