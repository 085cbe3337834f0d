/** String literals of templates. */
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'

/** Returns the text of a string literal; null for any other expression. */
export function literalText(expression: Expression): string | null {
  const bareExpression = unfiltered(expression)
  return bareExpression.kind === 'literal' && bareExpression.value.type === 'string' ? bareExpression.value.value : null
}
