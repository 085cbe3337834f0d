/** `boolean-value`: a comparison as the value of `assign`, which older runtimes evaluate differently. */
import type { Expression } from '../../../../core/tree/ast.ts'
import type { ReadPurpose } from '../../walk/reads.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const booleanValue = message(
  'boolean-value',
  'info',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'This stores true or false, but older runtimes store the left value.',
    hint: 'For a template that must also run on older runtimes, use `if` and two `assign` tags.',
  }),
  {
    wrong: `{% assign same = context.params.a == 'x' %}{{ same }}`,
    right: `{% assign same = false %}{% if context.params.a == 'x' %}{% assign same = true %}{% endif %}{{ same }}`,
  },
)

/** Reports a comparison or a logical expression that is not tested, but used as a value. */
export function checkBooleanValue(walk: Walk, { span }: Expression, purpose: ReadPurpose): void {
  if (purpose !== 'test' && walk.platform) walk.report(booleanValue(span))
}
