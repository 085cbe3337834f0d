/** `read-after-include`: a variable that is set only in an included partial. The page cannot read it. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports the reads of variables that only an included partial has set. */
export function checkReadsAfterInclude(walk: Walk): void {
  for (const [name, { span, partial, included }] of walk.reads.afterInclude)
    walk.report(readAfterInclude(span, name, partial, included))
}

export const readAfterInclude = message(
  'read-after-include',
  'warning',
  'WS40',
  (name: string, partial: string, included: Span) => ({
    subject: { kind: 'variable', name, of: partial },
    text: `Only the included partial ${quote(partial)} sets ${quote(name)}, and this file cannot read it.`,
    hint: `Assign \`${name}\` before the include, or use \`function\` and \`return\`.`,
    related: [{ span: included, message: 'the partial is included here' }],
  }),
  {
    wrong: `{% include 'setup' %}{{ theme }}`,
    right: `{% assign theme = '' %}{% include 'setup' %}{{ theme }}`,
    both: { 'app/views/partials/setup.liquid': `{% assign theme = 'dark' %}{{ theme }}` },
  },
)
