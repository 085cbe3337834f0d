/** `misspelt-field`: a field that nothing else of the site names, and that is spelled nearly like one that templates read. */
import { instead } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const misspeltField = message(
  'misspelt-field',
  'warning',
  'UnknownProperty',
  /** `read`: where a template reads the other one; null for one that the language gives. */
  (name: string, meant: string, read: Span | null) => ({
    text: `No other file or line names a field ${quoted(name)}.`,
    ...instead(meant, false),
    related: read === null ? [] : [{ span: read, message: `${quoted(meant)} is read here` }],
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
