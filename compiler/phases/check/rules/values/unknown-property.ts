/** `unknown-property`: a property that a value does not have. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const unknownProperty = message(
  'unknown-property',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, knownNames: Iterable<string>, origin: Span | null) => {
    const fields = [...knownNames]
    return {
      subject: { kind: 'field', name, of: owner },
      text: `${quote(owner)} has no property ${quote(name)}.`,
      ...(suggestName(name, fields) ?? {
        hint: `The value is always nil: remove it${origin === null ? '' : ', or set it where the value is created'}.`,
      }),
      related:
        origin === null
          ? []
          : [
              {
                span: origin,
                message: fields.length === 0 ? 'it is empty here' : `its properties are ${joinWithAnd(fields)}`,
              },
            ],
    }
  },
  {
    wrong: '{% assign h = { "a": 1 } %}{{ h.b }}',
    right: '{% assign h = { "a": 1 } %}{{ h.a }}',
  },
)
