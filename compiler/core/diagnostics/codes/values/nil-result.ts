/** `nil-result`: a part of a function's result is read, the function returns nil on some way, and nothing asks whether it did. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const FIND =
  '{% if id == blank %}{% return nil %}{% endif %}{% assign user = { "name": "Ada", "id": id } %}{% return user %}'
const CALL = "{% function user = 'find', id: context.params.id %}"

export const nilResult = message(
  'nil-result',
  'warning',
  'NilResult',
  (variable: string, partial: string, empty: Span) => ({
    text: `${quoted(variable)} may be nil here: ${quoted(partial)} returns nothing on one of its ways.`,
    hint: `Ask for it before: \`{% if ${variable} %}\`.`,
    related: [{ span: empty, message: 'nothing is returned here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `${CALL}{{ user.name }}`, 'app/lib/find.liquid': FIND },
    right: {
      'app/views/pages/index.liquid': `${CALL}{% if user %}{{ user.name }}{% endif %}`,
      'app/lib/find.liquid': FIND,
    },
  },
)
