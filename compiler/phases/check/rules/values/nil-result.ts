/** `nil-result`: a field of a function's result is read without a check, but the function can return nil. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const FIND =
  '{% if id == blank %}{% return nil %}{% endif %}{% assign user = { "name": "Ada", "id": id } %}{% return user %}'
const CALL = "{% function user = 'find', id: context.params.id %}"

export const nilResult = message(
  'nil-result',
  'warning',
  'NilResult',
  (variable: string, partial: string, empty: Span) => ({
    text: `${quote(variable)} may be nil here, because ${quote(partial)} does not always return a value.`,
    hint: `Check the value first with \`{% if ${variable} %}\`.`,
    related: [{ span: empty, message: 'no value is returned here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `${CALL}{{ user.name }}`, 'app/lib/find.liquid': FIND },
    right: {
      'app/views/pages/index.liquid': `${CALL}{% if user %}{{ user.name }}{% endif %}`,
      'app/lib/find.liquid': FIND,
    },
  },
)
