/** `missing-argument`: a required parameter of a partial that the call does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingArgument = message(
  'missing-argument',
  'error',
  'MissingRenderPartialArguments',
  /** `instead`: the misspelled name under which the call passes it. */
  (partial: string, name: string, declarationSpan: Span | null, instead: string | null = null) => ({
    subject: { kind: 'argument', name, of: partial, written: instead },
    text: `The partial ${quote(partial)} needs ${quote(name)}, but this call ${instead === null ? 'does not pass it' : `passes ${quote(instead)}`}.`,
    ...(instead === null ? {} : suggestName(instead, [name])),
    related: declarationSpan === null ? [] : [{ span: declarationSpan, message: 'the parameter is declared here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
  },
)
