/** `undefined-variable`: a name that nothing sets. */
import { instead, meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const undefinedVariable = message(
  'undefined-variable',
  'warning',
  'UndefinedObject',
  /** `set`: where a variable of nearly that name is set. `meant`: where the request has what is called so (`context.params`). */
  (name: string, known: Iterable<string>, meant: string | null = null, set: Span | null = null) => ({
    text: `Nothing sets ${quoted(name)}, so it is always nil.`,
    ...(meant === null
      ? (meantName(name, known) ?? { hint: `Assign ${quoted(name)} before, or leave it out.` })
      : instead(meant, false)),
    related: set === null ? [] : [{ span: set, message: 'a variable of a similar name is set here' }],
  }),
  {
    wrong: `{% assign title = 'x' %}{{ titel }}{{ title }}`,
    right: `{% assign title = 'x' %}{{ title }}`,
  },
)
