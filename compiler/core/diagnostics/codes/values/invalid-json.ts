/** `invalid-json`: a text that is read as JSON, and is none. */
import { message } from '../../diagnostic.ts'

export const invalidJson = message(
  'invalid-json',
  'error',
  'ValidJSON',
  (reason: string) => ({
    text: `This text is read as JSON, and ${reason}.`,
    hint: 'JSON has names and texts in double quotes, and no comma behind its last entry.',
  }),
  {
    wrong: `{% parse_json cart %}{ 'items': 2 }{% endparse_json %}{{ cart.items }}`,
    right: `{% assign cart = { "items": 2 } %}{{ cart.items }}`,
  },
)
