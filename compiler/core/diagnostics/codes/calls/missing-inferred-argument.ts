/** `missing-inferred-argument`: a name that a partial without `doc` reads and the call does not pass. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingInferredArgument = message(
  'missing-inferred-argument',
  'warning',
  'PartialCallArguments',
  /** `instead`: the misspelled name under which the call passes it. `meant`: where the request has what is called so (`context.params`). */
  (
    partial: string,
    name: string,
    read: Span | null,
    needed = false,
    instead: string | null = null,
    meant: string | null = null,
  ) => ({
    text: `The partial ${quoted(partial)} ${needed ? 'cannot run a query without' : 'reads'} ${quoted(name)}, and this call ${instead === null ? 'does not pass it' : `passes ${quoted(instead)}`}.`,
    ...(instead !== null
      ? meantName(instead, [name])
      : {
          hint: needed
            ? `Pass \`${name}\`.`
            : `Pass \`${name}\`, or read ${meant === null ? 'it through `default`' : quoted(meant)} in the partial.`,
        }),
    related: read === null ? [] : [{ span: read, message: 'it is read here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': '{{ title }}' },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
