/** `invalid-json`: text that is parsed as JSON but is not valid JSON. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const invalidJson = message(
  'invalid-json',
  'error',
  'ValidJSON',
  (reason: string) => ({
    text: `This text is not valid JSON: it ${reason}.`,
    hint: 'Put keys and strings in double quotes, and remove the comma after the last entry.',
  }),
  {
    wrong: `{% parse_json cart %}{ 'items': 2 }{% endparse_json %}{{ cart.items }}`,
    right: `{% assign cart = { "items": 2 } %}{{ cart.items }}`,
  },
)
