/** `unknown-property`: a property that a value of known shape lacks. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const unknownProperty = message(
  'unknown-property',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, known: Iterable<string>, origin: Span | null) => {
    const fields = [...known]
    return {
      text: `${quoted(owner)} has no property ${quoted(name)}.`,
      ...(meantName(name, fields) ?? {
        hint: `It is always nil: leave it out${origin === null ? '' : ', or set it where the value is made'}.`,
      }),
      related:
        origin === null
          ? []
          : [
              {
                span: origin,
                message: fields.length === 0 ? 'it is empty here' : `its properties are ${listed(fields)}`,
              },
            ],
    }
  },
  {
    wrong: '{% assign h = { "a": 1 } %}{{ h.b }}',
    right: '{% assign h = { "a": 1 } %}{{ h.a }}',
  },
)
