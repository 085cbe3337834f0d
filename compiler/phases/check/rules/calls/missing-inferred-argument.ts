/** `missing-inferred-argument`: a variable that a partial without `doc` reads, but that the call does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingInferredArgument = message(
  'missing-inferred-argument',
  'warning',
  'PartialCallArguments',
  /**
   * `instead`: the misspelled name under which the call passes it. `suggestion`: the field of `context` with that name
   * (`context.params`).
   */
  (
    partial: string,
    name: string,
    read: Span | null,
    needed = false,
    instead: string | null = null,
    suggestion: string | null = null,
  ) => ({
    subject: { kind: 'argument', name, of: partial, written: instead },
    text: `The partial ${quote(partial)} ${needed ? 'cannot run a query without' : 'reads'} ${quote(name)}, but this call ${instead === null ? 'does not pass it' : `passes ${quote(instead)}`}.`,
    ...(instead !== null
      ? suggestName(instead, [name])
      : {
          hint: needed
            ? `Pass \`${name}\`.`
            : `Pass \`${name}\`, or read ${suggestion === null ? 'it with `default`' : quote(suggestion)} in the partial.`,
        }),
    related: read === null ? [] : [{ span: read, message: 'the argument is read here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': '{{ title }}' },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
