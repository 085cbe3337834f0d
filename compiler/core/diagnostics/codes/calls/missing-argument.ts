/** `missing-argument`: a parameter that the partial declares as required and the call does not pass. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingArgument = message(
  'missing-argument',
  'error',
  'MissingRenderPartialArguments',
  /** `instead`: the misspelled name under which the call passes it. */
  (partial: string, name: string, declared: Span | null, instead: string | null = null) => ({
    text: `The partial ${quoted(partial)} needs ${quoted(name)}, and this call ${instead === null ? 'does not pass it' : `passes ${quoted(instead)}`}.`,
    ...(instead === null ? {} : meantName(instead, [name])),
    related: declared === null ? [] : [{ span: declared, message: 'it is declared here' }],
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
