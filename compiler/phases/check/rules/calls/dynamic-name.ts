/** `dynamic-name`: a computed name. Every file that it can match must accept untyped calls. `units` is null if it can match any. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formatCount } from '../../../../core/diagnostics/words.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a computed name. `units`: the number of partials that it can match; null if it can match any. */
export function checkDynamicName(walk: Walk, { kind, span }: PartialCall, units: number | null): void {
  // A `render` without a literal name is reported elsewhere, and so is a name that no partial matches.
  const isReportedElsewhere = units === null ? kind === 'render' : units === 0 && kind !== 'theme'
  if (walk.platform && !isReportedElsewhere) walk.report(dynamicName(span, units))
}

export const dynamicName = message(
  'dynamic-name',
  'info',
  'DynamicName',
  (units: number | null) => ({
    text:
      units === null
        ? 'This computed name can match every partial, so calls of all partials are checked less strictly.'
        : `This computed name can match ${formatCount(units, 'partial')}, whose calls are checked less strictly.`,
    hint: 'Begin or end the name with fixed text, so that fewer partials match.',
  }),
  {
    wrong: `{% include context.params.a %}{% render 'card' %}`,
    right: `{% render 'card' %}`,
    both: { 'app/views/partials/card.liquid': 'x' },
  },
)
