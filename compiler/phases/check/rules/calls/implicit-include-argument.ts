/** `implicit-include-argument`: a variable that an included partial reads and that neither the call passes nor the caller sets. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const implicitIncludeArgument = message(
  'implicit-include-argument',
  'info',
  'ImplicitIncludeArguments',
  (partial: string, name: string, read: Span | null) => ({
    subject: { kind: 'argument', name, of: partial },
    text: `The included partial ${quote(partial)} reads ${quote(name)}, but it is not set before this call.`,
    hint: `Pass it: \`${name}: …\`.`,
    related: read === null ? [] : [{ span: read, message: 'the variable is read here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% include 'card' %}`, 'app/views/partials/card.liquid': '{{ title }}' },
    right: {
      'app/views/pages/index.liquid': `{% assign title = 'x' %}{% include 'card' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
