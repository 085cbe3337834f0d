/** `undefined-variable`: a variable that is never set. */
import { replaceWith, suggestName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const undefinedVariable = message(
  'undefined-variable',
  'warning',
  'UndefinedObject',
  /** `set`: where a variable with a similar name is set. `suggestion`: the field of `context` with that name (`context.params`). */
  (name: string, knownNames: Iterable<string>, suggestion: string | null = null, set: Span | null = null) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is never set, so it is always nil.`,
    ...(suggestion === null
      ? (suggestName(name, knownNames) ?? { hint: `Assign ${quote(name)} first, or remove it.` })
      : replaceWith(suggestion, false)),
    related: set === null ? [] : [{ span: set, message: 'a variable with a similar name is set here' }],
  }),
  {
    wrong: `{% assign title = 'x' %}{{ titel }}{{ title }}`,
    right: `{% assign title = 'x' %}{{ title }}`,
  },
)
