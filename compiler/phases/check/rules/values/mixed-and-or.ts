/** `mixed-and-or`: `and` and `or` in one condition, where the order of evaluation changes the result. */
import type { Expression, Logical } from '../../../../core/tree/ast.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const mixedAndOr = message(
  'mixed-and-or',
  'warning',
  'WS21',
  (reading: string) => ({
    text: `This condition mixes \`and\` with \`or\`, which are evaluated from right to left: ${quote(reading)}.`,
    hint: 'Nest two `if` tags to make the order explicit.',
  }),
  {
    wrong: '{% if context.params.a and context.params.b or context.params.c %}yes{% endif %}',
    right: '{% if context.params.a %}{% if context.params.b or context.params.c %}yes{% endif %}{% endif %}',
  },
)

/** Reports `a and b or c`, which is evaluated as `a and (b or c)`, where many authors expect `(a and b) or c`. */
export function checkMixedAndOr(walk: Walk, expression: Logical): void {
  let current: Logical = expression
  let hasAnd = false
  for (;;) {
    if (current.operator === 'and') hasAnd = true
    else if (hasAnd) {
      walk.report(mixedAndOr(expression.span, withParentheses(walk, expression)))
      return
    }
    if (current.right.kind !== 'logical') return
    current = current.right
  }
}

function withParentheses(walk: Walk, expression: Expression): string {
  if (expression.kind !== 'logical') return walk.source(expression.span)
  const right = withParentheses(walk, expression.right)
  const isNested = expression.right.kind === 'logical' && expression.right.operator !== expression.operator
  return `${walk.source(expression.left.span)} ${expression.operator} ${isNested ? `(${right})` : right}`
}
